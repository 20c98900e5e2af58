import { readMessage } from '@vedette/message/message';
import { shippedNames } from '@vedette/intel/names';
import { expect, it } from 'vitest';
import { lookalikesOf } from '../../../packages/operations/src/eml-insights/lookalikes.ts';
import { mail } from '../../message/message/messages/builder.ts';

const names = shippedNames();

it('names the hosts of From, Reply-To and URLs that are written like a brand', async () => {
  const facts = await readMessage(
    mail({
      fields: { From: 'x@rnicrosoft-support.com', 'Reply-To': 'x@paypa1.com', To: 'x@arnazon-login.com' },
      text: 'https://xn--80ak6aa92e.com/ https://paypal.com.signin.example/x https://www.paypal.com/ https://203.0.113.1/paypal',
    }),
  );
  expect(lookalikesOf(facts, names)).toEqual({
    hosts: ['rnicrosoft-support.com', 'paypa1.com', 'xn--80ak6aa92e.com', 'paypal.com.signin.example'],
    isCut: false,
  });
});

it('judges a hundred of them, and says that there are more', async () => {
  const before = Array.from({ length: 99 }, (_, at) => `https://host${at}.example/`).join('\n');
  const facts = await readMessage(mail({ text: `${before}\nhttps://paypa1.com/` }));
  expect(lookalikesOf(facts, names)).toEqual({ hosts: [], isCut: true }); // From's is the first
  expect(lookalikesOf(await readMessage(mail({ text: before })), names)).toEqual({ hosts: [], isCut: false });
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
  expect(lookalikesOf(facts, names).hosts).toEqual([]);
});
