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
  ['whose account is used', page('Sign in', `<p>Use your Google Account</p>${LOGIN}`), /is of google: Use your Google Account/],
  ['whose account is used, in German', page('Anmelden', `<p>Verwenden Sie Ihr Microsoft-Konto.</p>${LOGIN}`), /is of microsoft/],
  ['who has no account', page('Sign in', `<p>Don't have a Netflix account?</p>${LOGIN}`), /is of netflix/],
  ['where one logs in', page('Welcome', `<p>Log in to Netflix</p>${LOGIN}`), /is of netflix/],
  ['where one logs in, a word', page('', `<p>Log in to Playstation</p>${BESIDE}`), /is of playstation/],
  ['a check of security', page('Check', `<p>Facebook Security Check</p>${LOGIN}`), /is of facebook/],
  ['a capital I', page('Manage your AppIe ID', LOGIN), /disguises the name apple: AppIe/],
  ['letters apart', page('Confirm', `<p>Your P a y P a l is limited</p>${LOGIN}`), /disguises the name paypal: P a y P a l/],
  [
    'letters of another alphabet',
    page('Card', `<p>Ν<b>ame</b> on the card, Ε<b>xpiration</b>, c<b>ο</b>de</p>${LOGIN}`),
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
  ['the beginning of its title', page('Quora - A place to share', `<p>New user?</p>${BESIDE}`), /begins with quora/],
  [
    'a saved page of much text',
    page('Phones, shoes and more | Flipkart', `${saved}${'<p>Shoes for all of us.</p>'.repeat(200)}${LOGIN}`),
    /a copy of flipkart/,
  ],
  ['where its links lead', page('Hello', `${links('www.kijiji.ca', 6)}${LOGIN}`), /most of its links lead to www\.kijiji\.ca/],
  [
    'names of fields',
    page('Hello', form('/go', '<input name="loginfmt"><input type="password" name="passwd">')),
    /its form is a copy of microsoft/,
  ],
  ['fields over a picture', page('Hello', `<img src="a.png">${form('/go', placed(FIELDS))}`), /its fields lie over a picture/],
  ['a document', page('Encrypted File', BESIDE), /it shows a document for a password: Encrypted File/],
  ['a wireless network', page('Update', `<p>New firmware. Enter your WPA2 password.</p>${LOGIN}`), /a wireless network \("firmware"\)/],
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
  ['an account that one may use', page('The village choir', `<p>Use your Google account to sign in</p>${LOGIN}`)],
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
