/** Registrable domains that most people know: what others imitate, and what is never itself called suspicious. */
export const POPULAR_DOMAINS: ReadonlySet<string> = new Set(
  `
adobe.com afternic.com aliexpress.com alibaba.com allegro.pl amazon.com amazon.co.uk amazon.de amazon.fr amazon.it amazon.es amazon.co.jp amazon.in
amd.com americanexpress.com apache.org apple.com archive.org asus.com atlassian.com baidu.com bankofamerica.com bbc.co.uk bbc.com bestbuy.com
bing.com binance.com bloomberg.com booking.com box.com canva.com cdc.gov chase.com cisco.com citi.com cloudflare.com cnn.com coinbase.com com.com
costco.com craigslist.org debian.org dell.com deutsche-bank.de dhl.com dhl.de digitalocean.com discord.com disney.com docker.com docusign.com
dropbox.com ebay.com ebay.co.uk ebay.de espn.com etsy.com expedia.com facebook.com facebookmail.com fedex.com fidelity.com figma.com
forbes.com github.com gitlab.com godaddy.com google.com google-analytics.com google.co.uk google.de gucci.com heroku.com hp.com hsbc.com huawei.com hulu.com
ibm.com ikea.com imdb.com indeed.com instagram.com intel.com intuit.com itv.com jetbrains.com jpmorgan.com kernel.org lenovo.com
lg.com linkedin.com lloydsbank.com mastercard.com mcdonalds.com medium.com mercadolibre.com meta.com microsoft.com mit.edu mobile.de mozilla.org
nasa.gov netflix.com nike.com nokia.com notion.so nvidia.com nytimes.com office.com openai.com oracle.com ovh.com paypal.com pinterest.com
python.org quora.com redhat.com reddit.com reuters.com revolut.com roblox.com salesforce.com samsung.com santander.com sap.com shopify.com
siemens.com skype.com slack.com snapchat.com sony.com spotify.com squarespace.com stackoverflow.com stanford.edu steampowered.com stripe.com
target.com telegram.org tesla.com theguardian.com tiktok.com tripadvisor.com trello.com tumblr.com twitch.tv twitter.com uber.com ubuntu.com
ups.com usps.com vimeo.com visa.com vmware.com w3.org walmart.com washingtonpost.com weather.com wellsfargo.com whatsapp.com wikipedia.org
wise.com wix.com wordpress.com wordpress.org x.com yandex.net yelp.com youtube.com zalando.de zendesk.com zoom.us
`
    .trim()
    .split(/\s+/),
);
