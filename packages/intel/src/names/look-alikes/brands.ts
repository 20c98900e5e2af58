import { wordList } from '../tables/word-list.ts';

/** Registrable domains that most people know: what others imitate, and what is never itself called suspicious. */
export const POPULAR_DOMAINS = wordList(`
adobe.com afternic.com aliexpress.com alibaba.com allegro.pl amazon.com amazon.co.uk amazon.de amazon.fr amazon.it amazon.es amazon.co.jp amazon.in
amd.com americanexpress.com apache.org apple.com archive.org asus.com atlassian.com baidu.com bankofamerica.com bbc.co.uk bbc.com bestbuy.com
bing.com binance.com bloomberg.com booking.com box.com canva.com cdc.gov chase.com cisco.com citi.com cloudflare.com cnn.com coinbase.com com.com
costco.com craigslist.org debian.org dell.com deutsche-bank.de dhl.com dhl.de digitalocean.com discord.com disney.com docker.com docusign.com
dropbox.com ebay.com ebay.co.uk ebay.de espn.com etsy.com expedia.com facebook.com facebookmail.com fedex.com fidelity.com figma.com
forbes.com github.com gitlab.com godaddy.com google.com google-analytics.com google.co.uk google.de gucci.com heroku.com hp.com hsbc.com huawei.com hulu.com
ibm.com ikea.com imdb.com indeed.com instagram.com intel.com intuit.com itv.com jetbrains.com jpmorgan.com kernel.org lenovo.com
lg.com linkedin.com lloydsbank.com mastercard.com mcdonalds.com medium.com mercadolibre.com meta.com microsoft.com mit.edu mozilla.org
nasa.gov netflix.com nike.com nokia.com notion.so nvidia.com nytimes.com office.com openai.com oracle.com ovh.com paypal.com pinterest.com
python.org quora.com redhat.com reddit.com reuters.com revolut.com roblox.com salesforce.com samsung.com santander.com sap.com shopify.com
siemens.com skype.com slack.com snapchat.com sony.com spotify.com squarespace.com stackoverflow.com stanford.edu steampowered.com stripe.com
target.com telegram.org tesla.com theguardian.com tiktok.com tripadvisor.com trello.com tumblr.com twitch.tv twitter.com uber.com ubuntu.com
ups.com usps.com vimeo.com visa.com vmware.com w3.org walmart.com washingtonpost.com weather.com wellsfargo.com whatsapp.com wikipedia.org
wise.com wix.com wordpress.com wordpress.org x.com yandex.net yelp.com youtube.com zalando.de zendesk.com zoom.us
`);

/** Names that impostors put into addresses and domains. */
export const IMITATED_BRANDS = wordList(`
adobe airbnb alibaba aliexpress amazon americanexpress apple appleid bankofamerica barclays binance chase citibank coinbase
dhl discord disneyplus docusign dropbox ebay facebook fedex github gmail google hotmail hsbc icloud instagram intuit kraken
linkedin lloydsbank mastercard metamask microsoft netflix office365 onedrive outlook paypal revolut roblox santander sharepoint shopify
spotify steam stripe telegram tiktok trustwallet twitter usps venmo walmart wellsfargo whatsapp yahoo youtube zelle
`);
/** Brands that are also words, towns or family names: beside another word they prove nothing. */
export const BRANDS_THAT_ARE_WORDS = wordList('amazon apple chase discord kraken santander steam stripe outlook telegram zelle');
/** The most forged of the brands that are words; honest words near them are among the neighbours below. */
export const MOST_FORGED_WORDS = wordList('amazon apple');
/** Words of some language that are one of them but for an accent: an apple, a crow, wretches. */
export const ACCENTED_WORDS = wordList('äpple kråken kräken');
/** Brands with many honest near-namesakes: every provider has a cloud, and banks are named after towns. */
export const BRANDS_AMONG_OTHERS = wordList('icloud citibank bankofamerica');
/** Brands' own domains that name them as a forger would; facebookmail.com and google-analytics.com are among the popular ones. */
export const BRANDS_OWN_DOMAINS = wordList(
  'alibaba-inc.com ebay-kleinanzeigen.de googlewallet.com icloud-content.com linkedin-ei.com loydsbank.com tiktokv.com yahoo-inc.com youtube-nocookie.com',
);
/** The actions that a forged site asks of its victims, in the words of forgers. */
export const LURES = wordList(`
account accounts alert auth authenticate authentication bill billing bonus claim confirm confirmation id kyc locked login logon myaccount
password passwordreset recover recovery refund reset restore secure secured security signin signon suspended suspension unlock unusual update
validate validation verification verified verify wallet webmail
`);

/** Lures that are also in honest names: beside a brand that is a word, one of them alone proves little (chase-recovery.com). */
export const HONEST_LURES = wordList(
  'alert bill billing bonus claim id recover recovery refund reset restore secure secured security unlock unusual update wallet',
);

/**
 * Names near a brand that no dictionary has: families, towns, firms as large (PayPay, UCloud), and two words that spell a brand when
 * written together.
 */
export const HONEST_NEIGHBOURS = wordList(`
amason appl barclay goole kraker mazon paypay robles stearn ucloud walmer coin-base drop-box master-card one-drive share-point trust-wallet
`);
