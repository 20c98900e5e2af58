import { readMessage } from '@vedette/message/message';
import { shippedNames } from '@vedette/intel/names';
import { describe, expect, it } from 'vitest';
import { impersonationsOf } from '../../../packages/operations/src/eml-insights/impersonations.ts';
import { mail } from '../../message/message/messages/builder.ts';

const names = shippedNames();

it('names the hosts of From, Reply-To and URLs that are written like a brand', async () => {
  const facts = await readMessage(
    mail({
      fields: { From: 'x@rnicrosoft-support.com', 'Reply-To': 'x@paypa1.com', To: 'x@arnazon-login.com' },
      text: 'https://xn--80ak6aa92e.com/ https://paypal.com.signin.example/x https://www.paypal.com/ https://203.0.113.1/paypal',
    }),
  );
  expect(impersonationsOf(facts, names)).toMatchObject({
    hosts: ['rnicrosoft-support.com', 'paypa1.com', 'xn--80ak6aa92e.com', 'paypal.com.signin.example'],
    isCut: false,
  });
});

it('judges a hundred of them, and says that there are more', async () => {
  const before = Array.from({ length: 99 }, (_, at) => `https://host${at}.example/`).join('\n');
  const facts = await readMessage(mail({ text: `${before}\nhttps://paypa1.com/` }));
  expect(impersonationsOf(facts, names)).toMatchObject({ hosts: [], isCut: true }); // From's is the first
  expect(impersonationsOf(await readMessage(mail({ text: before })), names)).toEqual({ hosts: [], found: [], isCut: false });
});

// Brands have more domains than one, and so have those who send mail for them.
it.each(
  `list-manage.com sendgrid.net hubspotemail.net klclick.com sendibm3.com cmail20.com rs6.net substackcdn.com awstrack.me exacttarget.com
  facebookmail.com licdn.com email.apple.com mzstatic.com paypalobjects.com paypal-communication.com m.media-amazon.com
  login.microsoftonline.com contoso.sharepoint.com eur01.safelinks.protection.outlook.com microsoftemail.com githubusercontent.com
  mailer.netflix.com dropboxmail.com docusign.net echosign.com stripecdn.com cdn.shopify.com ebaystatic.com noreply.dhl.com
  informeddelivery.usps.com steamcommunity.com alertsp.chase.com barclaycard.co.uk airbnbmail.com discordapp.com youtu.be`.split(/\s+/),
)('%s is honest', async (host) => {
  const facts = await readMessage(mail({ text: `https://${host}/` }));
  expect(impersonationsOf(facts, names).hosts).toEqual([]);
});

/** The brands that a message claims to be from, and where. */
async function claims(from: string, { subject = 'Hello', html = '', text = 'Hello', ...fields }: Record<string, string> = {}) {
  const message = mail({ fields: { From: from, Subject: subject, ...fields }, text, ...(html !== '' && { html }) });
  return impersonationsOf(await readMessage(message), names).found.map(({ brand, found_in }) => `${brand}: ${found_in}`);
}

describe('the name of the sender', () => {
  it.each([
    ['"PayPal Support" <x@shop.example>', 'PayPal'],
    ['PayPal <paypal@gmail.com>', 'PayPal'],
    ['"service@paypal.com" <x@shop.example>', 'PayPal'],
    ['Microsoft account team <no-reply@tee-on.example>', 'Microsoft'],
    ['"Netflix.com" <x@shop.example>', 'Netflix'],
    ['"Bank of America Alerts" <x@shop.example>', 'Bank of America'],
    ['"Chase Bank" <x@shop.example>', 'Chase'],
    ['"Amazon Support" <x@shop.example>', 'Amazon'],
    ['"Μetamаsk" <x@shop.example>', 'MetaMask'],
    ['"PayPaI" <x@shop.example>', 'PayPal'],
    ['"Trust Wallet" <noreply@support-trustwallet.com>', 'Trust Wallet'],
    ['Correios <noreply@correios>', 'Correios'],
  ])('%s speaks for %s', async (from, brand) => {
    expect(await claims(from)).toContain(`${brand}: from_name`);
  });

  it.each([
    'PayPal <service@intl.paypal.com>',
    'PayPal <service@paypal.de>',
    'Facebook <security@facebookmail.com>',
    'Instagram <no-reply@mail.instagram.com>',
    'YouTube <no-reply@google.com>',
    'LinkedIn <x@microsoft.com>',
    'Netflix <info@mailer.netflix.com>',
    // Families, words, firms.
    'Chase Miller <chase.miller@gmail.com>',
    'Harrison Ford <harrison@gmail.com>',
    'Chase <chase@gmail.com>',
    'Ford <x@ford-family.example>',
    '"Visa Services" <info@visa-agency.example>',
    'Orange Theory Fitness <hello@gym.example>',
    'Steam Cleaning Support <info@cleaning.example>',
    'Apple Orchard Farm <info@orchard.example>',
    '"Payal Sharma" <payal@gmail.com>',
    // People who work there or write about it.
    '"Jane from Netflix" <jane@press.example>',
    '"Shopify Experts Weekly" <news@agency.example>',
    '"Andrew (PayPal integration meetup)" <andrew@meetup.example>',
    // Programs that write in their own name.
    'WordPress <wordpress@bakery.example>',
    'cPanel <cpanel@server.example>',
    'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@corp.example>',
  ])('%s speaks for no brand', async (from) => {
    expect(await claims(from)).toEqual([]);
  });

  it.each([
    ['DHL Paket <contact@a.example>', 'We hebben je bevestiging nodig om je bestelling te verzenden', 'DHL'],
    ['"UPS ✔️" <x@shop.example>', '𝐓𝐫𝐚𝐜𝐤 𝐘𝐨𝐮𝐫 𝐒𝐡𝐢𝐩𝐦𝐞𝐧𝐭', 'UPS'],
    ['ING <x@shop.example>', 'Uw rekening is beperkt', 'ING'],
    ['UPS Support <x@ups-parcels.example>', 'Your parcel is waiting', 'UPS'],
    ['UPS <x@u-p-s.example>', 'Your parcel is waiting', 'UPS'],
  ])('%s speaks for a short brand, with "%s"', async (from, subject, brand) => {
    expect(await claims(from, { subject })).toContain(`${brand}: from_name`);
  });

  it.each([
    ['UPS <ups@corp.example>', 'UPS: on battery power, alert'],
    ['DHL Paket <noreply@dhl.de>', 'Ihr Paket kommt heute'],
    ['Ing Weber <weber@corp.example>', 'Your order'],
    ['ING Weber <weber@corp.example>', 'Your order'],
    ['DHL Fanclub Leipzig <x@club.example>', 'Your order of tickets'],
    ['ups <x@corp.example>', 'Your parcel'],
    ['UPS <dsi@universite.example>', 'Activation de votre compte informatique'],
    ['UPS <ups@corp.example>', 'Ordered shutdown of server'],
    ['UPS <ups@corp.example>', 'Order of battery replacement'],
    ['UPS <ups@corp.example>', 'Accountability report'],
    ['ING <ing@corp.example>', 'Accountability report'],
    ['UPS <it@union-pharma-syndicat.example>', 'Suivi de votre colis'],
  ])('%s does not speak for a short brand, with "%s"', async (from, subject) => {
    expect(await claims(from, { subject })).toEqual([]);
  });

  it('is the author of a message that a list hands on', async () => {
    const from = 'PayPal via Buyers <buyers@lists.example>';
    expect(await claims(from, { 'List-Id': '<buyers.lists.example>' })).toEqual([]);
    expect(await claims('PayPal <buyers@lists.example>', { 'List-Id': '<buyers.lists.example>' })).toEqual(['PayPal: from_name']);
  });
});

describe('a service that forwards mail and hides the address', () => {
  it.each([
    'Netflix <info_at_mailer_netflix_com_a1b2@privaterelay.appleid.com>',
    'Netflix <info_at_mailer.netflix.com_a1b2@duck.com>',
    'Netflix <info_at_mailer_netflix_com_a1b2@icloud.com>',
    'Netflix <info_at_netflix_com_a1b2@icloud.com>',
    'Netflix <a1b2@mozmail.com>',
    '"Netflix" <info.at.mailer.netflix.com@simplelogin.co>',
    'Netflix <box+info=netflix.com@jane.anonaddy.com>',
  ])('%s is no forger for that alone', async (from) => {
    expect(await claims(from)).toEqual([]);
    expect(await claims(from, { text: 'https://nеtflix.com/' })).toEqual(['Netflix: from_name', 'Netflix: host']);
  });

  it.each([
    'Netflix <a@notduck.com>',
    'Netflix <a@duck.com.example>',
    'Netflix <a@appleid-relay.example>',
    'Netflix <netflix_com_a1b2@icloud.com>',
    'Netflix <info_at_netflix_com_evil-login_com_a1b2@icloud.com>',
    'Netflix <info_at_netflix_com_at_evil_com_a1b2@icloud.com>',
    'Netflix <info_at_notnetflix_com_a1b2@icloud.com>',
    'Netflix <info_at_netflix_com_a1b2@icloud.example>',
  ])('%s is none', async (from) => {
    expect(await claims(from)).toEqual(['Netflix: from_name']);
  });

  it('did not forward what DMARC rejects', async () => {
    const rejected = { 'Authentication-Results': 'mx.example; dmarc=fail header.from=duck.com' };
    expect(await claims('Netflix <a@duck.com>', rejected)).toEqual(['Netflix: from_name']);
    expect(await claims('Netflix <info_at_netflix_com_a1b2@icloud.com>', rejected)).toEqual(['Netflix: from_name']);
  });
});

it('judges no host anew for each link', async () => {
  const judgements = async (count: number): Promise<number> => {
    const links = Array.from({ length: count }, (_, at) => `<a href="https://h${at}.example/">Log in to your PayPal account</a>`);
    const facts = await readMessage(mail({ fields: { From: 'News <hello@news.example>' }, html: links.join('') }));
    let asked = 0;
    impersonationsOf(facts, { ...names, brands: () => (asked++, names.brands()) });
    return asked;
  };
  expect(await judgements(900)).toBe(await judgements(150));
});

describe('subjects, links and user names', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['a subject alone', { subject: 'Your PayPal account is locked' }, []],
    [
      'a subject and a host',
      { subject: 'Your PayPal account is locked', text: 'https://paypal-login.com/' },
      ['PayPal: host', 'PayPal: subject'],
    ],
    ['a host in a letter about it', { subject: 'What is new at PayPal', text: 'https://paypal-login.com/' }, []],
    ['a forwarded question', { subject: 'Fwd: trouble with my PayPal account, help', text: 'See https://www.paypal.com/' }, []],
    ['a link that shows another URL', { html: '<a href="https://a.example/x">https://www.paypal.com/signin</a>' }, ['PayPal: link_text']],
    [
      "a log-in that is not the brand's",
      { html: '<a href="https://a.example/x">Log in to your PayPal account</a>' },
      ['PayPal: link_text'],
    ],
    ["the brand's own log-in", { html: '<a href="https://www.paypal.com/signin">Log in to your PayPal account</a>' }, []],
    [
      "a gateway's link to it",
      {
        html: '<a href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.paypal.com%2Fsignin&data=1">https://www.paypal.com/signin</a>',
      },
      [],
    ],
    ['a counted link', { html: '<a href="https://click.news.example/1">https://www.paypal.com/signin</a>' }, []],
    ['a page at a network', { html: '<a href="https://a.example/x">Facebook</a> <a href="https://a.example/y">Instagram</a>' }, []],
    ['a site that is spoken of', { html: '<a href="https://a.example/x">www.paypal.com</a>' }, []],
    ['news about it', { html: '<a href="https://a.example/x">Verizon claim: what to ask</a>' }, []],
    ['a user name', { text: 'https://paypal.com@a.example/' }, ['PayPal: url_user_name']],
    ['a user name of a person', { text: 'https://jane@a.example/' }, []],
  ])('%s', async (_what, message, found) => {
    expect((await claims('News <hello@news.example>', message)).toSorted()).toEqual(found.toSorted());
  });

  it('judges what strangers make long in time that does not grow with it', async () => {
    const long = 'pаypаI '.repeat(20_000);
    const links = Array.from({ length: 3_000 }, (_, at) => `<a href="https://h${at}.example/">${long.slice(0, 290)}${at}</a>`).join('');
    const found = impersonationsOf(
      await readMessage(mail({ fields: { From: `"${long.slice(0, 900)}" <a@b.example>`, Subject: long }, html: links })),
      names,
    ).found;
    expect(found.length).toBeLessThanOrEqual(100);
  });
});
