import { expect, it } from 'vitest';
import { judgeSite, scoreTrust } from '@vedette/web/site';
import { evidenceOf, type Shape } from './evidence.ts';

const page = (title: string, body: string, more: Partial<Shape> = {}): Shape => ({ html: `<title>${title}</title><body>${body}`, ...more });
const form = (action: string, fields: string): string => `<form action="${action}" method="post">${fields}</form>`;
const FIELDS = '<input name="user"><input type="password" name="pass">';
const LOGIN = form('/login', FIELDS);
const BESIDE = form('post.php', FIELDS);
const links = (host: string, count: number): string => `<a href="https://${host}/a">a</a>`.repeat(count);
const saved = '<img src="./Home_files/a.png"><link rel="stylesheet" href="./Home_files/b.css">';
const placed = (fields: string): string => fields.replaceAll('<input', '<input style="position:absolute; left:20px; top:30px"');

it.each<[what: string, Shape, found: RegExp]>([
  ['whose account is used', page('Sign in', `<p>Use your Google Account</p>${BESIDE}`), /is of google: Use your Google Account/],
  ['whose account is used, in German', page('Anmelden', `<p>Verwenden Sie Ihr Microsoft-Konto.</p>${BESIDE}`), /is of microsoft/],
  ['who has no account', page('Sign in', `<p>Don't have a Netflix account?</p>${LOGIN}`), /is of netflix/],
  ['where one logs in', page('Welcome', `<p>Log in to Netflix</p>${LOGIN}`), /is of netflix/],
  ['where one logs in, a word', page('', `<p>Log in to Playstation</p>${BESIDE}`), /is of playstation/],
  ['a form beside it, after one that leads nowhere', page('Quora - A place to share', `${form('', FIELDS)}${BESIDE}`), /begins with quora/],
  ['a program in a folder near it', page('Quora - A place to share', form('./system/send.php', FIELDS)), /begins with quora/],
  ['an Apple ID', page('Checkout', `<p>Forgot your Apple ID or password?</p>${BESIDE}`), /an account of apple: Forgot your Apple ID/],
  ['a word with a figure', page('Sharing Link Validati0n', BESIDE), /with figures \("Validati0n"\)/],
  [
    'a word with a figure over a first step',
    page('Acc0unt', form('/go', '<input type="email" name="email">')),
    /with figures \("Acc0unt"\)/,
  ],
  ['Cyrillic letters that all look Latin', page('Card', `<p>Yоur реrѕоnal dеtаіls, nаmе оn саrd</p>${BESIDE}`), /another alphabet/],
  ['a mailbox that must grow', page('Upgrade Your Mailbox', BESIDE), /password of a mailbox \("Upgrade Your Mailbox"\)/],
  ['a mailbox that must grow, in Chinese', page('电子邮件升级', BESIDE), /password of a mailbox/],
  [
    'a document for any mailbox',
    page('Shared', `<p>To read the document, please select your email provider</p>${LOGIN}`),
    /password of a mailbox \("read the document, please select your email provider"\)/,
  ],
  [
    'a mailbox that is closed without its password',
    page('Webmail', `<p>Login to stop webmail termination</p>${BESIDE}`),
    /password of a mailbox \("Login to stop webmail"\)/,
  ],
  [
    'a password for no robot',
    page('Parcels', `<p>Please verify your email to prove you're not a robot</p>${form('post.php', '<input type="password">')}`),
    /password of a mailbox \("verify your email to prove you're not a robot"\)/,
  ],
  [
    'a program for each provider',
    page('Secure Docs', `${form('gmail.php', FIELDS)}${form('yahoo.php', FIELDS)}`),
    /password of a mailbox \("a program for each of gmail, yahoo"\)/,
  ],
  [
    'pictures of providers',
    page('Shared file', `${['gmail', 'outlook', 'office365'].map((name) => `<img src="${name}.png">`).join('')}${BESIDE}`),
    /password of a mailbox \("the pictures of gmail, outlook, office365"\)/,
  ],
  [
    'a document for a mailbox',
    page('Excel Online', `<p>Sign in with your valid email account to view document.</p>${BESIDE}`),
    /a document for a password: Sign in with your valid email account to view document/,
  ],
  [
    'a document on a page without a name',
    page('Sign in to continue', `<p>Sign in to view the document</p>${BESIDE}`),
    /a document for a password: Sign in to view the document/,
  ],
  [
    'a document after a log-in',
    page('Docs', `<p>To view shared document you are required to login with your email address</p>${BESIDE}`),
    /a document for a password: To view shared document/,
  ],
  [
    'a document that is edited',
    page('VIEW MODE', `<p>Enter your correct password to continue</p><b>View & Edit Document</b>${BESIDE}`),
    /a document for a password: correct password to continue/,
  ],
  ["a bank's name and its banking", page('ANZ Internet Banking', BESIDE), /calls itself anzbank/],
  ["a firm's name and its legal form", page('Netflix Inc', LOGIN), /calls itself netflix/],
  ['a page of a stranger at a maker of forms', page('Netflix', LOGIN, { host: 'evil.jotform.com' }), /calls itself netflix/],
  ['its own logo', page('Login', `<a href="#"><img src="l.png" alt="Netflix logo"></a>${BESIDE}`), /logo is that of netflix: Netflix logo/],
  [
    "Microsoft's first field",
    page('Sign in', `<p>Sign in</p>${form('/go', '<input placeholder="Email, phone, or Skype">')}`),
    /copy of microsoft/,
  ],
  ["Microsoft's field and a password", page('', form('', '<input name="loginfmt"><input type=password name="pass">')), /copy of microsoft/],
  ["Amazon's fields", page('', form('?s=', '<input id="ap_email"><input type=password id="ap_password">')), /copy of amazon/],
  ['the parts of AD FS', page('Sign In', `<img src="/adfs/portal/logo/l.png">${BESIDE}`), /another program than microsoft: AD FS/],
  [
    'the log-in of a client that a browser saved',
    page('Client', `<img src="./login_files/logo.png"><link rel=stylesheet href="./login_files/a.css">${BESIDE}`),
    /a browser saved it/,
  ],
  ['a password by a session', page('Quora - A place to share', form('login.php?session=0123456789abcdef0', FIELDS)), /begins with quora/],
  [
    'a form in a code',
    page('', `<script>document.write(unescape('${encodeURIComponent(form('in.php', FIELDS))}'))</script>`),
    /its form stands in it in a code/,
  ],
  [
    'a title and a form in two codes',
    page(
      '',
      `<script>document.write(unescape('${encodeURIComponent('<title>Netflix</title>')}'))</script><script>document.write(unescape('${encodeURIComponent(LOGIN)}'))</script>`,
    ),
    /calls itself netflix/,
  ],
  [
    'a password that a script makes of a field',
    page('Netflix', `${form('in.php', '<input name="em"><input name="pd">')}<script>document.forms[0].pd.type = "password"</script>`),
    /calls itself netflix/,
  ],
  [
    'the 3-D Secure password beside a card',
    page('Payment', form('/go', '<input name="card_number"><input name="cvv"><input name="ccpass" type=password>')),
    /beside a card \("ccpass"\)/,
  ],
  [
    "a French bank's question beside a card",
    page('Paiement', form('post.php', '<input name="card_number"><input name="cvv"><input name="departement_naissance">')),
    /beside a card \("departement_naissance"\)/,
  ],
  [
    'the password of 3-D Secure by its name in kits',
    page('Payment', form('/go', '<input name="birth"><input type="password" name="password_vbv">')),
    /beside a card \("_vbv"\)/,
  ],
  [
    'a maiden name beside a card',
    page('Payment', form('/go', '<input name="card_number"><input name="cvv"><input placeholder="Mother\'s maiden name">')),
    /beside a card \("mother's maiden name"\)/,
  ],
  [
    'a title that begins with another site, and its links',
    page(
      'Photobox: all your pictures',
      `<a href="https://www.photobox.example/forgot">Forgot it?</a>${links('photobox.example', 2)}${BESIDE}`,
    ),
    /help with passwords is at www\.photobox\.example/,
  ],
  [
    "a page that Chrome saved, with a brand's name",
    page(
      'PUBGM',
      `<h1>PUBG MOBILE OFFICIAL PUBG ON MOBILE</h1><p>HOME. Collect your rewards of the season. Collect again, by mail.</p><script src="./a.js.download"></script><script src="./b.js.download"></script>${BESIDE}`,
    ),
    /saved it from elsewhere/,
  ],
  ['a notice of copyright', page('Sign in', `<p>Terms of use © 2019 Microsoft</p>${BESIDE}`), /notice of copyright is that of microsoft/],
  ['the one brand of a page without a name', page('Sign in', `<p>Welcome. Your Netflix plan has ended.</p>${BESIDE}`), /netflix/],
  ['the log-in of a program that has no such file', page('Zimbra Web Client Sign In', BESIDE), /another program than zimbra/],
  [
    'pictures and styles of another site',
    page('Photobox - sign in', `${'abc'.replaceAll(/./g, '<img src="https://static.photobox.example/$&.png">')}${BESIDE}`),
    /the pictures and the style of photobox\.example/,
  ],
  [
    'help with a password elsewhere',
    page('Sign in', `<p>Photobox</p><a href="https://www.photobox.example/forgot">Forgot it?</a>${BESIDE}`),
    /help with passwords is at www\.photobox\.example/,
  ],
  [
    'a page that Chrome saved',
    page('Sign in', `<script src="./a.js.download"></script><script src="./b.js.download"></script>${BESIDE}`),
    /saved it from elsewhere \(\.\/a\.js\.download\)/,
  ],
  [
    'a picture of its logo among others',
    page('Sign in', `<img src="line.png"><img src="img/netflix-logo.png">${BESIDE}`),
    /pictures are those of netflix: netflix-logo\.png/,
  ],
  ['a game', page('PUBG MOBILE', LOGIN), /pubgmobile/],
  ['a check of security', page('Check', `<p>Facebook Security Check</p>${LOGIN}`), /is of facebook/],
  ['a capital I', page('Manage your AppIe ID', LOGIN), /disguises the name apple: AppIe/],
  ['letters apart', page('Confirm', `<p>Your P a y P a l is limited</p>${LOGIN}`), /disguises the name paypal: P a y P a l/],
  [
    'letters of another alphabet',
    page('Card', `<p>Ν<b>ame</b> on the card, Ε<b>xpiration</b>, cοde</p>${LOGIN}`),
    /letters of another alphabet/,
  ],
  [
    "a field for the brand's password",
    page('Followers', form('/go', '<input name="u"><input type="password" placeholder="Your Instagram password">')),
    /the password of instagram/,
  ],
  ['a reward', page('TikTok', `<p>Login to get 1000 TikTok likes</p>${BESIDE}`), /the password of tiktok|tiktok/],
  [
    'a reward in the title',
    page('Get free Instagram followers', `${'<p>It works in all countries.</p>'.repeat(120)}${BESIDE}`),
    /instagram/,
  ],
  ["a brand's icon", { ...page('Sign in', LOGIN), more: { icon: 309_020_573 } }, /its icon is that of paypal: MurmurHash3 309020573/],
  [
    "a brand's icon over the first step",
    { ...page('Sign in', `<p>Sign in</p>${form('/go', '<input name="email">')}`), more: { icon: 309_020_573 } },
    /icon is that of paypal/,
  ],
  ['the beginning of its title', page('Quora - A place to share', `<p>New user?</p>${BESIDE}`), /begins with quora/],
  ['a saved log-in', page('Shoes | Playstation', `${saved}<p>Password</p>${LOGIN}`), /a copy of playstation/],
  [
    'where its links lead',
    page('Hello', `${links('www.kijiji.ca', 6)}${links('www.kijiji.ca', 1).replace('/a', '/forgot')}${LOGIN}`),
    /most of its links lead to www\.kijiji\.ca/,
  ],
  [
    'names of fields',
    page('Hello', form('/go', '<input name="loginfmt"><input type="password" name="passwd">')),
    /its form is a copy of microsoft/,
  ],
  ['fields over a picture', page('Hello', `<img src="a.png">${form('go.php', placed(FIELDS))}`), /its fields lie over a picture/],
  ['a document', page('Encrypted File', BESIDE), /it shows a document for a password: Encrypted File/],
  [
    'a wireless network',
    page('Update', `<p>New firmware. Enter your WPA2 password.</p>${LOGIN}`),
    /a network or a device \("New firmware"\)/,
  ],
  [
    'a field for the password of a wireless network',
    page('Update', `<p>Firmware upgrade</p>${form('/go', '<input type="password" placeholder="WPA password">')}`),
    /a network or a device \("Firmware upgrade"\)/,
  ],
  [
    'names of fields of LinkedIn, beside',
    page('Hello', form('go.php', '<input name="session_key"><input type="password" name="session_password">')),
    /its form is a copy of linkedin/,
  ],
  ['who is new, beside', page('Sign in', `<p>New to Netflix? Register</p>${BESIDE}`), /is of netflix/],
  ['a card without a word', page('', form('go.php', '<input name="card_number">')), /it does not say who asks/],
  ['a code beside its name', page('PayPal - Business', `<p>Enter your code</p>${form('otp.php', '<input name="otp">')}`), /paypal/],
  ['a guide in the heading', page('Sign in - Netflix', `<h1>Sign in with your email</h1>${LOGIN}`), /calls itself netflix/],
])('finds a copied log-in by %s', async (_what, shape, found) => {
  const evidence = await evidenceOf(shape);
  const { result, factors } = scoreTrust(evidence, judgeSite(evidence));
  expect(factors.find(({ factor }) => factor === 'cap_credential_trap')?.detail).toMatch(found);
  expect(result).toBeLessThanOrEqual(40);
});

it.each<[what: string, Shape]>([
  ['an icon that is of no brand', { ...page('Sign in', LOGIN), more: { icon: 1 } }],
  [
    "a brand's icon over an article",
    { ...page('The village choir', `${'<p>We sing on Thursdays.</p>'.repeat(200)}${LOGIN}`), more: { icon: 309_020_573 } },
  ],
  ["a brand's icon over a page without a secret", { ...page('The village choir', '<p>Pay us</p>'), more: { icon: 309_020_573 } }],
  ["the brand's own host", { ...page('Sign in', LOGIN), host: 'paypal.com', more: { icon: 309_020_573 } }],
  ...['xfinityprepaid.com', 'linkedin.cn', 'netflixstudios.com', 'trbinance.com'].map((host, i): [string, Shape] => [
    `a further domain of the brand, ${host}`,
    { ...page('Sign in', LOGIN), host, more: { icon: [-298_605_840, 724_089_318, 902_521_196, 321_678_933][i] } },
  ]),
  [
    "Microsoft's icon over many words",
    { ...page('Sign in', `${'<p>Help for members.</p>'.repeat(90)}${LOGIN}`), more: { icon: -2_057_558_656 } },
  ],
  ...['/adfs/ls/?client-request-id=1', '/owa/auth/logon.aspx', '/RDWeb/Pages/en-US/login.aspx'].map((path): [string, Shape] => [
    `Microsoft's icon over its own program at ${path.split('?', 1)[0]}`,
    { ...page('Sign In', form(path, FIELDS)), url: `https://choir.example${path}`, more: { icon: -2_057_558_656 } },
  ]),
  ['tips for a game', page('Free tips for Roblox skins', `<p>Log in to get skins</p>${BESIDE}`)],
  ['an account that one may use', page('The village choir', `<p>Use your Google account to sign in</p>${LOGIN}`)],
  ['an account beside its own', page('Log in', `${BESIDE}<p>Or use your Facebook account</p><p>or create an account</p>`)],
  ['an account of others after its own name', page('Log in - Village choir', `<p>Use your Facebook account</p>${BESIDE}`)],
  ['an account of others alone', page('Log in', `<p>Use your Google account</p>${LOGIN}`)],
  ['an account that is connected', page('Log in', `<p>Log in to your Chase account first, then come back here.</p>${LOGIN}`)],
  ['an account elsewhere', page('Acme Sync', `<p>Log in to your Dropbox account first, then come back here to connect it.</p>${LOGIN}`)],
  ['an account that comes later', page('Connect - LedgerTool', `<p>New to Stripe? Create a Stripe account</p>${BESIDE}`)],
  ['those who are new to a brand', page('Log in', `<p>New to PayPal? See how Acme pays its sellers.</p>${LOGIN}`)],
  ['an article on disguised names', page('The village choir', `<p>Look at PayPaI, AppIe and GoogIe.</p>${LOGIN}`)],
  ['a disguised name beside its plain one', page('The village choir', `<p>PayPaI is not PayPal.</p>${LOGIN}`)],
  [
    'a disguised name in a long text',
    page('The village choir', `<p>Beware of PayPaI.</p>${'<p>We sing on Sundays in the hall.</p>'.repeat(80)}${LOGIN}`),
  ],
  ['letters apart in a heading', page('Studio', `<h1>P a y P a l</h1>${LOGIN}`)],
  ['letters apart in capitals', page('Studio', `<p>B I N A N C E</p>${LOGIN}`)],
  [
    'a shop with a folder of files',
    page(
      'Spare parts for Samsung and Huawei | PhoneParts',
      `${saved.replaceAll('./Home', '/theme')}${'<p>Parts for all phones.</p>'.repeat(200)}${LOGIN}`,
    ),
  ],
  [
    'a forum with a folder of files',
    page('Netflix and cinema fans of Leeds', `${saved.replaceAll('./Home', 'e107')}${'<p>Films for all of us.</p>'.repeat(200)}${LOGIN}`),
  ],
  ['a form with places', page('Portal', `<img src="a.png">User<form action="login.aspx" method="post">${placed(FIELDS)}</form>`)],
  ['a portal with documents', page('Secure Documents', `<h1>Miller Accountants client portal</h1>${BESIDE}`)],
  ['a firm with a protected file', page('Protected file', `<h1>Miller Accountants</h1>${BESIDE}`)],
  ...['acme.zendesk.com', 'acme.atlassian.net', 'help.shopify.com', 'trello.com', 'www.booking.com'].map((host): [string, Shape] => [
    `links to ${host}`,
    page('Log in - Acme', `${links(host, 9)}${LOGIN}`),
  ]),
  ['a log-in at a tenant', page('Log in - Acme', `${links('acme.atlassian.net', 9).replaceAll('/a"', '/login"')}${LOGIN}`)],
  [
    'a hotel',
    page(
      'Guest access',
      `<p>The WiFi password is on your key card. If the connection was lost, log in again. No internet connection? Call.</p>${LOGIN}`,
    ),
  ],
  ['a router', page('Router', `<p>Firmware 2.1. Your router password is printed below the device.</p>${LOGIN}`)],
  [
    'neutrinos',
    page(
      'Internal pages',
      `<p>We look at νe and νs, with the ντ and the mixing of νe in matter, frequency ν is given, coupling of ν to it.</p>${LOGIN}`,
    ),
  ],
  [
    "Microsoft's log-in for states",
    page('Sign in', form('/go', '<input name="loginfmt"><input type="password" name="passwd">'), { host: 'microsoftonline.us' }),
  ],
  ['names of fields of others', page('Log in', form('/go', '<input name="session_key"><input type="password" name="session_password">'))],
  ['lessons in Latin', page('Log in - Proximus Latin lessons', `<h1>Proximus</h1>${LOGIN}`)],
  ['a consultant', page('Client login - Zoho implementation by CloudPartner', `<h1>Client login</h1>${LOGIN}`)],
  ['an Apple ID beside other ways', page('The village choir', `<p>Sign in with your Apple ID</p>${LOGIN}`)],
  ['a joke with figures', page('p4ssw0rd and l0gin', BESIDE)],
  ['a product with figures', page('Office 10 and Win10', BESIDE)],
  ['Russian', page('Хор', `<p>Наша страница: Name, Email, сайт</p>${BESIDE}`)],
  ['a provider of mailboxes', page('Choir Mail', `<p>Upgrade your mailbox to 10 GB.</p>${LOGIN}`)],
  ['a new member', page('Verify your email address', BESIDE)],
  ['an import of contacts', page('Contacts', `<p>Choose your email provider to invite friends</p>${LOGIN}`)],
  ['a card with its check digits', page('Tea', `<p>Pay 12.00</p>${form('/pay', '<input name="card_number"><input name="cvv">')}`)],
  ["a program's notice of copyright", page('Staff', `<p>© 2019 Microsoft</p>${form('/owa/auth.owa', FIELDS)}`)],
  ['a page with a name and the notice of a maker', page('Hillside Clinic', `<p>© 2019 Microsoft</p>${BESIDE}`)],
  ['a brand in the text of a page with a name', page('The village choir', `<p>We watch Netflix together.</p>${BESIDE}`)],
  ['Zimbra at its own address', page('Zimbra Web Client Sign In', form('/', FIELDS))],
  [
    'pictures of a sister of one name',
    page('Photobox - sign in', `${'abc'.replaceAll(/./g, '<img src="https://photobox-cdn.example/$&.png">')}${BESIDE}`, {
      host: 'photobox.test',
    }),
  ],
  [
    'fonts and libraries of others',
    page('Sign in', `${'abc'.replaceAll(/./g, '<link rel="stylesheet" href="https://cdn.jsdelivr.test/$&.css">')}${BESIDE}`),
  ],
  [
    'help with a password at a sister of one name',
    page('Sign in', `<p>Photobox</p><a href="https://www.photobox.example/forgot">Forgot it?</a>${BESIDE}`, {
      host: 'my-photobox.test',
    }),
  ],
  ['help with a password here', page('Sign in', `<p>Photobox</p><a href="/forgot">Forgot it?</a>${BESIDE}`)],
  [
    "a saved page with its domain's name",
    page('Photobox', `<script src="./a.js.download"></script><script src="./b.js.download"></script>${BESIDE}`, {
      host: 'photobox.test',
    }),
  ],
  ['pictures of several networks', page('Sign in', `<img src="netflix.png"><img src="instagram.png">${BESIDE}`)],
  ['an account of others', page('The village choir', `<p>Sign in with your Google account</p>${LOGIN}`)],
  ['a word', page('The village choir', `<p>Sign In To Discover More</p><p>Log in to Chase Farm</p>${LOGIN}`)],
  ["a brand's own page", page('Sign in', `<p>Log in to Netflix</p>${LOGIN}`, { host: 'netflix.com' })],
  ["a brand's name under another suffix", page('Hello', `${links('www.kijiji.ca', 6)}${LOGIN}`, { host: 'kijiji.com' })],
  [
    'terms of the same name under another suffix',
    page('Hello', `<a href="https://help.kijiji.ca/privacy">Privacy</a><a href="https://help.kijiji.ca/reset">Reset</a>${LOGIN}`, {
      host: 'kijiji.com',
    }),
  ],
  ['a design of letters apart', page('L O G I N', `<p>W E L C O M E</p>${LOGIN}`)],
  ['a word with a capital', page('The village choir', `<p>McInnes and DeIvy sing</p>${LOGIN}`)],
  ['Greek', page('Χορωδία', `<p>Η χορωδία του χωριού. Ν Ε Α</p>${LOGIN}`)],
  ['a letter of science', page('The laboratory', `<p>Ν ame is our group; we study α-cells.</p>${LOGIN}`)],
  ['an address for payments', page('Sell with us', form('/go', '<input placeholder="PayPal email"><input type="password">'))],
  ['a club with followers', page('The village choir', `<p>Log in to get our news</p>${BESIDE}`)],
  ['an article on a brand', page('Quora - A place to share', `${'<p>It has many users there by now.</p>'.repeat(100)}${BESIDE}`)],
  ['an article in a saved page', page('The village choir', `${saved}<p>Flipkart sells shoes.</p>${LOGIN}`)],
  ['links to networks', page('The village choir', `${links('www.facebook.com', 9)}${LOGIN}`)],
  ['a few links to a brand', page('The village choir', `${links('www.kijiji.ca', 4)}${links('a.example', 4)}${LOGIN}`)],
  [
    'names of many forms',
    page('The village choir', form('/go', '<input name="login_email"><input type="password" name="login_password">')),
  ],
  ['a place of one field', page('The village choir', `<img src="a.png">${form('/go', placed('<input type="password">'))}`)],
  ['a download for members', page('Encrypted File', LOGIN)],
  ['a file behind one password', page('Protected file', form('get.php', '<input type="password" name="pass">'))],
  ['a page of a router', page('Wireless', `<p>Enter your wireless password.</p>${LOGIN}`)],
  ['a shop', page('Tea', `<p>Two packets of tea are 12.00, with the post 14.50</p>${form('pay.php', '<input name="card_number">')}`)],
])('does not accuse %s', async (_what, shape) => {
  const evidence = await evidenceOf(shape);
  expect(scoreTrust(evidence, judgeSite(evidence)).factors.map(({ factor }) => factor)).not.toContain('cap_credential_trap');
});
