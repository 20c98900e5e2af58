import { expect, it } from 'vitest';
import { judgeSite } from '@vedette/web/site';
import { evidenceOf, type Shape } from './evidence.ts';

const page = (title: string, body: string, more: Partial<Shape> = {}): Shape => ({ html: `<title>${title}</title><body>${body}`, ...more });
const form = (action: string, fields: string): string => `<form action="${action}" method="post">${fields}</form>`;
const FIELDS = '<input name="user"><input type="password" name="pass">';
const LOGIN = form('/login', FIELDS);
/** A program beside the page takes it, as small sites in PHP have it too. */
const BESIDE = form('login.php', FIELDS);

/** Log-ins of honest sites that have the very words, pictures and links by which copies are found. */
const HONEST: readonly (readonly [what: string, Shape])[] = [
  [
    'a school that lends tablets',
    page(
      'Hillside School iPads',
      `<h1>Hillside School iPads</h1><p>Forgot your Apple ID? Ask the IT desk. Log in to see your device.</p>${LOGIN}`,
    ),
  ],
  ['a portal for devices', page('Device portal', `<h1>Device portal</h1><p>Before a repair, review your Apple ID settings.</p>${LOGIN}`)],
  ['a workshop', page('Fixit repairs', `<p>How to unlock Apple ID? Read our guide</p>${LOGIN}`)],
  ['a school with a colour in its name', page('Login', `<p>© 2023 Orange Grove School</p>${BESIDE}`)],
  ['a farm', page('Login', `<p>© 2023 Chase Farm Ltd</p>${BESIDE}`)],
  ['a clinic in a valley', page('Login', `<p>Copyright 2023 Apple Valley Clinic</p>${BESIDE}`)],
  ['a gym', page('Member login', `<p>© Target Fitness</p>${BESIDE}`)],
  ['divers', page('Sign in', `<p>© Discover Scuba Club</p>${BESIDE}`)],
  ['plumbers', page('Sign in', `<p>© Delta Plumbing</p>${BESIDE}`)],
  ['a theatre', page('Sign in', `<p>© Phantom Theatre</p>${BESIDE}`)],
  ["a router's maker", page('Sign in', `<p>© Netgear</p>${BESIDE}`)],
  ['a page at a network', page('Login', `<p>Follow us on Instagram</p>${BESIDE}`)],
  ['help by messages', page('Login', `<p>Need help? WhatsApp us: 0171 555</p>${BESIDE}`)],
  ['a way to pay', page('Login', `<p>We accept PayPal.</p>${BESIDE}`)],
  ['a way to send', page('Login', `<p>Parcels go by DHL.</p>${BESIDE}`)],
  ['a browser that is advised', page('Login', `<p>Best viewed in Google Chrome</p>${BESIDE}`)],
  [
    'a school with mailboxes elsewhere',
    page('Login', `<p>Students: your Office365 mail is at the portal. Office365 help: 2222</p>${BESIDE}`),
  ],
  ['a channel', page('Login', `<p>News on our Telegram channel.</p>${BESIDE}`)],
  ['a server for talks', page('Login', `<p>Join our Discord. Discord rules apply.</p>${BESIDE}`)],
  ['a page at a network, told twice', page('Login', `<p>Find us on Facebook. Our Facebook page.</p>${BESIDE}`)],
  [
    'webmail of a small provider',
    page('Zimbra Webmail - Tiny Telecom', `<h1>Tiny Telecom</h1>${form('preauth.php', FIELDS)}`, { host: 'tinytel.example' }),
  ],
  ['an inn', page('Outlook Inn - Staff login', BESIDE, { host: 'theoutlookinn.example' })],
  ['a magazine', page('The Outlook - subscriber login', BESIDE, { host: 'tol.example' })],
  ['an app for shops', page('Stocky: stock for Shopify - log in', BESIDE, { host: 'stockyapp.example' })],
  ['a panel for a panel', page('Reseller panel for cPanel and DNS', BESIDE, { host: 'hosty.example' })],
  ['a sample of a log-in', page('PHP Okta sample app', BESIDE, { host: 'samples.example' })],
  [
    'a rota of a firm',
    page('Staff rota', `<p>Staff of Contoso log in here.</p><a href="https://www.contoso.example/forgot">Forgot password</a>${BESIDE}`, {
      host: 'rota-hr.test',
    }),
  ],
  [
    'a site made by an agency',
    page('Hillside Bowls', `<p>Website by Pixelworks</p><a href="https://cms.pixelworks.example/forgot">Forgot password</a>${BESIDE}`, {
      host: 'hbc.test',
    }),
  ],
  [
    'a site with a program of others',
    page('Course rooms', `<p>Powered by Moodle</p><a href="https://docs.moodle.example/reset">Reset help</a>${BESIDE}`, {
      host: 'courses.test',
    }),
  ],
  [
    'a college with a chat',
    page(
      'College portal',
      `<p>Live chat is open 9 to 5. We deliver.</p><a href="https://account.live.com/password/reset">Forgot mail password?</a>${BESIDE}`,
      { host: 'college.test' },
    ),
  ],
  [
    'rooms of a university',
    page('Library rooms', `<p>Use your Uniford account</p><a href="https://password.uniford.example/reset">Forgot password?</a>${BESIDE}`, {
      host: 'libraryrooms.test',
    }),
  ],
  [
    'help at a sister with a dash',
    page('Photo Box', `<p>photobox</p><a href="https://www.photobox.example/forgot">Forgot password?</a>${BESIDE}`, {
      host: 'my-photo-box.test',
    }),
  ],
  [
    'pictures of a sister with a dash',
    page('Photobox - sign in', `${'abc'.replaceAll(/./g, '<img src="https://static.photoboxcdn.example/$&.png">')}${BESIDE}`, {
      host: 'photo-box.test',
    }),
  ],
  [
    'pictures of a domain named by a word',
    page('Webmail login', `${'abc'.replaceAll(/./g, '<img src="https://i.mail.example/$&.png">')}${BESIDE}`, { host: 'tinytel.test' }),
  ],
  [
    'pictures of a domain named by half a word',
    page('Village hosting: log in', `${'abc'.replaceAll(/./g, '<img src="https://i.host.example/$&.png">')}${BESIDE}`, {
      host: 'tinytel.test',
    }),
  ],
  [
    'a site made of a saved template',
    page('Hillside Bowling Club', `<h1>Members</h1><link rel=stylesheet href="theme_files/a.css"><img src="theme_files/b.png">${BESIDE}`, {
      host: 'hbc.example',
    }),
  ],
  [
    'a site made by a program for homepages',
    page(
      'Hillside Bowling Club',
      `<h1>Members</h1><link rel=stylesheet href="Members_files/a.css"><img src="Members_files/b.png">${BESIDE}`,
      { host: 'hbc.example' },
    ),
  ],
  [
    'scripts of a saved template',
    page(
      'Hillside Bowling Club',
      `<h1>Members</h1><script src="js/jquery.js.download"></script><script src="js/b.js.download"></script>${BESIDE}`,
      { host: 'hbc.example' },
    ),
  ],
  [
    'a meeting of hackers',
    page('Secur1ty Con', `<h1>Secur1ty Con</h1><p>Get our news by mail</p>${form('/news', '<input type=email name=email>')}`),
  ],
  ['a game of hackers', page('0nline Security Challenge', `<h1>0nline CTF</h1>${BESIDE}`)],
  ['a band', page('Confirmati0n - band', `<p>tour news</p>${form('/news', '<input type=email name=email>')}`)],
  ['a new member', page('Verify your email account - Village choir', BESIDE)],
  ['a confirmation', page('Choir', `<h1>Confirm email account</h1>${BESIDE}`)],
  ["a member's address", page('Choir', `<h1>Update your e-mail account</h1>${BESIDE}`)],
  ['a host', page('Mailbox quota', `<h1>Hillside Hosting</h1>${BESIDE}`)],
  ['a host with a long title', page('Hillside Hosting - mailbox storage and aliases', BESIDE)],
  ['an exercise', page('Spot the phishing', `<h1>Upgrade your mailbox: a phishing exercise</h1>${BESIDE}`)],
  ['several ways in', page('Village choir', `<p>Sign in with Google. Sign in with other email.</p>${LOGIN}`)],
  ['any address', page('Village choir', `<p>Sign in with any other email</p>${LOGIN}`)],
  ['an address book', page('Village choir', `<p>To access your address book, choose your email provider</p>${LOGIN}`)],
  ['a link by mail', page('Village choir', `<p>Open your inbox: choose your email provider</p>${LOGIN}`)],
  [
    'letters in a picture',
    page(
      'Tea shop',
      form(
        '/register',
        '<input name="email"><input type=password name=password><input name="securecode" placeholder="Code in the picture">',
      ),
    ),
  ],
  [
    'a society for families',
    page(
      'Hillside Family History Society',
      form('/join', '<input name="email"><input type=password name=password><label>Mother\'s maiden name <input name="m"></label>'),
    ),
  ],
  [
    'a credit union',
    page(
      'Credit union: open an account',
      form('/join', '<input name="email"><input type=password name=password><label>Mothers maiden name <input name="m"></label>'),
    ),
  ],
  [
    'a small bank',
    page(
      'Village Co-op Bank: register',
      form('/register', '<input name="account"><input type=password name="atm pin"><input type=password name=password>'),
    ),
  ],
  [
    'a hidden field of a shop',
    page('Tea shop', form('/pay', '<input name="card_number"><input name="cvv"><input type=hidden name="vbv" value="1">')),
  ],
  [
    'a box of a shop',
    page(
      'Tea shop',
      form(
        '/pay',
        '<input name="card_number"><input name="cvv"><input type="checkbox" name="vbv_enrolled"><label>Verified by Visa</label>',
      ),
    ),
  ],
  [
    'a link to a network',
    page('Village choir: log in', `<a href="https://www.instagram.com/choir"><img src="img/instagram.png"></a>${BESIDE}`, {
      host: 'vchoir.example',
    }),
  ],
  ['a badge of payments', page('Tea shop: log in', `<img src="hero.jpg"><img src="img/paypal.png">${BESIDE}`, { host: 'tshp.example' })],
  [
    'a badge of messages',
    page('Clinic Sol', `<img src="hero.jpg"><a href="https://wa.me/123"><img src="img/whatsapp.png"></a>${BESIDE}`, {
      host: 'csol.example',
    }),
  ],
  [
    'a badge of messages alone',
    page('Clinic Sol', `<a href="https://wa.me/123"><img src="img/whatsapp.png"></a>${BESIDE}`, { host: 'csol.example' }),
  ],
  ['a badge of parcels', page('Tea shop: log in', `<img src="hero.jpg"><img src="img/dhl-logo.png">${BESIDE}`, { host: 'tshp.example' })],
  [
    'a society for families, by a label',
    page(
      'Hillside Family History Society',
      form(
        '/join',
        '<input name="email"><input type=password name=password><label for=m>Mother\'s maiden name</label><input id=m name="m">',
      ),
    ),
  ],
  ['a badge of payments alone', page('Tea shop: log in', `<img src="img/paypal.png">${BESIDE}`, { host: 'tshp.example' })],
  ['a new member of a site without a name', page('Verify your email account', BESIDE)],
  ['hackers with news by mail', page('Secur1ty', `<h1>Secur1ty</h1>${form('/news', '<input type="email" name="email">')}`)],
  [
    'badges of cards',
    page('Tea shop: log in', `<img src="hero.jpg"><img src="img/visa.png"><img src="img/mastercard.png">${BESIDE}`, {
      host: 'tshp.example',
    }),
  ],
  ['Roundcube', page('Roundcube Webmail :: Welcome', form('./?_task=login', FIELDS))],
  [
    "a hotel's network",
    page(
      'Hotel Alpenblick Wi-Fi',
      `<p>Enter the Wi-Fi password from your room card.</p>${form('auth.php', '<input type=password name=pw>')}`,
    ),
  ],
  [
    'a university with mailboxes at Microsoft',
    page(
      'Uniford: sign in',
      `<p>Use your Uniford Office 365 account, such as ab123@uniford.example. Forgot your password? See the service desk.</p>${BESIDE}`,
      { host: 'uniford.example' },
    ),
  ],
  ['a department', page('Physics intranet', `<p>Log in with your Office 365 user name.</p>${BESIDE}`, { host: 'phys.example' })],
  ['a department with a log-in before', page('Physics intranet', `<p>Log in to Office 365 first.</p>${BESIDE}`, { host: 'phys.example' })],
  ['Greek capitals', page('ΤΑΒΕΡΝΑ ΜΑΚΗ', `<p>ΤΑΒΕΡΝΑ ΜΑΚΗ. Login, ΟΚ, MΕNU, WIFΙ, LΟGIN</p>${BESIDE}`)],
  ['Serbian', page('ЈАТ', `<p>Хотел Сава: Login Online</p>${BESIDE}`)],
  ['Russian', page('ТОР', `<p>ТОР СОМ: Login, Password. Тест</p>${BESIDE}`)],
  [
    'a portal for partners of a chain',
    page(
      'Pizza Planet franchise log-in',
      `<p>© Pizza Planet</p>${'abc'.replaceAll(/./g, '<img src="https://www.pizzaplanet.example/$&.png">')}${BESIDE}`,
      { host: 'franchise-portal.test' },
    ),
  ],
  ['lessons over a network', page('Courses', `<img src="img/zoom-logo.png"><p>Lessons by Zoom on Mondays</p>${BESIDE}`)],
  ['a clan', page('PUBG Mobile clan Wolves', `<p>Clan members log in here.</p>${LOGIN}`)],
  ['a clan with a small program', page('PUBG Mobile clan Wolves', `<p>Clan members log in here.</p>${BESIDE}`)],
  ['letters of another name', page('A.O.L. - Art of Living', `<img src="img/aol.png">${BESIDE}`)],
  ['letters of another name in words', page('AOL Members', `<p>Art of Living</p>${LOGIN}`)],
  ['a bank with the cards of a shop', page('Home Depot credit card: log in', LOGIN, { host: 'citiretailservices.citibankonline.com' })],
  [
    'terms of a shop for apps',
    page(
      'Letters for firms - sign in',
      `<a href="https://apps.apple.com/app/terms">Terms</a><a href="https://apps.apple.com/app/help">Help</a>${LOGIN}`,
    ),
  ],
  ["a client's documents", page('Login', `<p>Log in to view your documents.</p>${BESIDE}`, { host: 'kanzlei.example' })],
  ['an archive', page('Hillside Archive', `<p>Sign in to view the document.</p>${BESIDE}`, { host: 'harchive.example' })],
  ['a document behind a log-in elsewhere', page('Sign in', `<p>Sign in to view the document.</p>${LOGIN}`, { host: 'dms.example' })],
  ['webmail with help', page('Webmail', `<p>To upgrade your mailbox call 0171 555.</p>${BESIDE}`, { host: 'tinytel.example' })],
  [
    'a new member and robots',
    page('Choir: join', `<p>We ask you to verify your email to prove you are not a robot.</p>${BESIDE}`, { host: 'vchoir.example' }),
  ],
  [
    'address books of several firms',
    page('Village choir: find friends', `${form('gmail.php', FIELDS)}${form('yahoo.php', FIELDS)}`, { host: 'vchoir.example' }),
  ],
  [
    'a program for any mailbox',
    page('Mail', `${['gmail', 'outlook', 'yahoo'].map((name) => `<img src="img/${name}.png">`).join('')}${BESIDE}`, {
      host: 'anymail.example',
    }),
  ],
  ['plumbers with a logo', page('Login', `<a href="/"><img src="l.png" alt="Delta logo"></a>${BESIDE}`, { host: 'dplumb.example' })],
  ['a badge that leads nowhere', page('Login', `<a href="#"><img src="p.png" alt="PayPal logo"></a>${BESIDE}`, { host: 'tshp.example' })],
  ['a firm of a name that is a word', page('Chase Ltd', BESIDE, { host: 'chaseltd.example' })],
  ['a firm of a name that few know', page('Jumbo Inc - log in', BESIDE, { host: 'jmb.example' })],
  ['a firm of Amazon', page('Sign in', form('/ap/signin', '<input id="ap_email" name="email"><input type=password id="ap_password">'))],
  [
    'a shop in France',
    page(
      'Tea shop',
      `<p>Two packets of tea are 12.00, with the post 14.50</p>${form('pay.php', '<input name="card_number"><input name="cvv"><input name="departement" placeholder="Département">')}`,
    ),
  ],
  [
    'a club that hides its page',
    page('Hillside Bowling Club', `<script>document.write(unescape('${encodeURIComponent(form('in.php', FIELDS))}'))</script>`, {
      host: 'hbc.example',
    }),
  ],
  [
    'a form for news that is hidden',
    page('', `<script>document.write(unescape('${encodeURIComponent(form('news.php', '<input name="email">'))}'))</script>`),
  ],
  [
    'a client of a firm',
    page('Client area', `<link rel=stylesheet href="theme_files/a.css"><img src="theme_files/b.png">${BESIDE}`, { host: 'hbc.example' }),
  ],
  [
    'a password that can be shown',
    page('Hillside Bowling Club', `${LOGIN}<script>eye.onclick=()=>{pass.type='text';pass.type='password'}</script>`, {
      host: 'hbc.example',
    }),
  ],
  [
    'a teacher who asks for an address',
    page(
      'Spanish with Marta',
      `<a href="/login">Log in</a><p>Book a lesson</p>${form('/contact', '<input name="contact" placeholder="Email, phone or Skype">')}`,
      { host: 'mrt.example' },
    ),
  ],
  [
    "a firm's log-in that Microsoft runs",
    page('Sign in', form('/woodgrove.onmicrosoft.com/login', '<input name="loginfmt"><input type=password name="passwd">'), {
      host: 'login.wdgr.example',
    }),
  ],
  [
    "a firm's log-in at Microsoft",
    page('Sign in', form('/x/login', '<input name="loginfmt"><input type=password name="passwd">'), { host: 'woodgrove.ciamlogin.com' }),
  ],
  [
    "the logo of a university's AD FS",
    page('Sign In', `<img src="https://sts.uoh.example/adfs/portal/logo/logo.png">${BESIDE}`, { host: 'webmail.uoh.example' }),
  ],
  [
    'a lender in France',
    page(
      'Paiement en 3 fois',
      `<p>3 x 40,00</p>${form('/paiement', '<input name="departement_naissance"><input name="card_number"><input name="cvv">')}`,
      { host: 'p3x.example' },
    ),
  ],
  [
    "a bank's page for a payment",
    page('Verified by Visa', `<p>Tea shop. 12.00</p>${form('/acs', '<input type=password name="pin">')}`, { host: 'acs.smlb.example' }),
  ],
  ['a plan for a mailbox', page('Webmail', `<p>Log in to upgrade your mailbox storage plan.</p>${BESIDE}`, { host: 'isp.example' })],
  ['a mailbox that was closed', page('Webmail', `<p>Sign in to reactivate your mailbox.</p>${BESIDE}`, { host: 'isp.example' })],
  [
    'how to set up a mailbox',
    page('Documentation', `${['gmail', 'outlook', 'yahoo'].map((name) => `<img src="${name}.png">`).join('')}${BESIDE}`, {
      host: 'mhost.example',
    }),
  ],
  [
    'comments on a film',
    page(
      'Netflix',
      `<p>Comments</p>${form('/comment', '<input name="name"><input name="email"><textarea name="comment"></textarea>')}<script>x.type = "password"</script>`,
    ),
  ],
  ['archers', page('Robinhood Archers', `<p>Members</p>${LOGIN}`)],
  ['a stadium', page('Telstra Stadium staff', `<p>Members</p>${LOGIN}`)],
  ['fans', page('Activision fans', `<p>Members</p>${LOGIN}`)],
];

it.each(HONEST)('does not accuse the log-in of an honest site: %s', async (_what, shape) => {
  const { checks, traps } = judgeSite(await evidenceOf(shape));
  expect(traps).toEqual([]);
  expect(checks.is_heuristic_pattern).toBe(false);
});
