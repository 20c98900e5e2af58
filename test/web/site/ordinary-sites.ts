import type { Shape } from './evidence.ts';

/** A page as one of the common systems writes it, with the headers that servers of that kind send. */
export interface OrdinarySite extends Shape {
  what: string;
  /** It is a shop. */
  shop?: true;
  platform?: string;
}

const CLOUDFLARE = [['server', 'cloudflare'], ['cf-ray', '8f3c-FRA'], ['strict-transport-security', 'max-age=15552000'], ['x-content-type-options', 'nosniff']] as const; // prettier-ignore
const APACHE = [
  ['server', 'Apache'],
  ['upgrade', 'h2,h2c'],
  ['vary', 'Accept-Encoding'],
] as const;
const PHP = [
  ['server', 'nginx/1.18.0 (Ubuntu)'],
  ['x-powered-by', 'PHP/8.1.2-1ubuntu2.14'],
  ['link', '<https://a.example/wp-json/>; rel="https://api.w.org/"'],
] as const;
const VERCEL = [
  ['server', 'Vercel'],
  ['x-vercel-cache', 'HIT'],
  ['strict-transport-security', 'max-age=63072000'],
] as const;

const words = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) =>
      ['the', 'committee', 'said', 'on', 'Tuesday', 'that', 'prices', 'of', 'bread', 'rose', 'by', '3%', 'since', 'May', 'and', 'will'][
        i % 16
      ],
  ).join(' ');
const doc = (head: string, body: string, html = 'lang="en"', bodyAttributes = ''): string =>
  `<!DOCTYPE html><html ${html}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}</head><body ${bodyAttributes}>${body}</body></html>`;
const SOCIALS =
  '<a href="https://www.facebook.com/valleyshop" aria-label="Facebook"><svg></svg></a><a href="https://www.instagram.com/valleyshop/" aria-label="Instagram"><svg></svg></a>';
const SHARE = `<div class="share"><a class="share-facebook" href="https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fa.example"><i></i></a><a class="share-x" href="https://twitter.com/intent/tweet?url=x">X</a><a href="#" class="share-mail">Mail</a></div>`;
const FOOTER = '<footer><a href="/impressum">Impressum</a> <a href="/privacy">Privacy</a> Tel. +49 30 1234567</footer>';
const product = (name: string, price: string) =>
  `<li class="product type-product"><a href="/product/${name}"><h2>${name}</h2><span class="price"><bdi>${price}</bdi></span></a></li>`;

export const ORDINARY_SITES: readonly OrdinarySite[] = [
  {
    what: 'a WordPress blog with plugins',
    headers: PHP,
    html: doc(
      '<title>Walking in the hills &#8211; A diary</title><meta name="generator" content="WordPress 6.6.2"><meta name="robots" content="max-image-preview:large"><link rel="stylesheet" href="/wp-content/themes/twentytwentyfour/style.css">',
      `<h1>Walking in the hills</h1><article><h2>A hacked trail</h2><p>${words(200)}</p>${SHARE}</article><form role="search" action="/"><input name="s"></form><a href="/wp-login.php">Log in</a>`,
      'lang="en-US"',
      'class="home blog"',
    ),
  },
  {
    what: 'a small WooCommerce shop in a sale',
    shop: true,
    platform: 'woocommerce',
    headers: PHP,
    html: doc(
      '<title>Valley Wool – yarn and needles</title><meta name="generator" content="WooCommerce 9.3.3">',
      `<a href="/cart/">Cart</a><ul class="products">${product('Alpaca', '€12,90')}${['Merino', 'Silk', 'Linen', 'Hemp', 'Jute', 'Cotton'].map((name) => `<li class="product sale"><span class="onsale">-20%</span>${name} <del><bdi>€10,00</bdi></del> <ins><bdi>€8,00</bdi></ins></li>`).join('')}</ul>${SOCIALS}${FOOTER}<p>hello@choir.example</p>`,
      'lang="de"',
      'class="home woocommerce-page woocommerce-js"',
    ),
  },
  {
    what: 'a Shopify shop',
    shop: true,
    platform: 'shopify',
    headers: [
      ...CLOUDFLARE,
      ['powered-by', 'Shopify'],
      ['x-shopid', '53412'],
      ['content-security-policy', "block-all-mixed-content; frame-ancestors 'none'; upgrade-insecure-requests;"],
      ['set-cookie', '_shopify_y=1; path=/; secure; SameSite=Lax'],
    ],
    html: doc(
      '<title>Northern Boots</title><link rel="canonical" href="https://northernboots.example/"><script src="//northernboots.example/cdn/shop/t/9/assets/global.js" defer></script><script>var Shopify = Shopify || {};Shopify.shop = "nb.myshopify.com";</script>',
      `<div class="price price--on-sale"><s class="price-item price-item--regular">$180.00</s><span class="price-item price-item--sale">$140.00</span></div>${SOCIALS}<a href="/pages/contact">Contact</a><a href="/account/login">Log in</a>`,
    ),
  },
  {
    what: 'a Magento shop',
    shop: true,
    platform: 'magento',
    headers: [
      ['server', 'nginx'],
      ['x-magento-cache-debug', 'HIT'],
      ['set-cookie', 'PHPSESSID=1; path=/; HttpOnly'],
      ['content-security-policy-report-only', "font-src 'self'"],
    ],
    html: doc(
      '<title>Tools and more</title><script src="/static/version1727/frontend/Acme/luma/en_US/requirejs/require.js"></script>',
      `<script type="text/x-magento-init">{}</script><a href="/checkout/cart/">My Cart</a><span class="price">$24.99</span>${FOOTER}`,
    ),
  },
  {
    what: 'a PrestaShop shop',
    shop: true,
    platform: 'prestashop',
    headers: [...APACHE, ['powered-by', 'PrestaShop'], ['set-cookie', 'PrestaShop-a3f=def; path=/; HttpOnly; SameSite=Lax']],
    html: doc(
      '<title>Librairie du Port</title>',
      `<script>var prestashop = {"cart":{}};</script><a href="/panier?action=show">Panier</a><span class="price">19,90 €</span>${FOOTER}`,
      'lang="fr"',
    ),
  },
  {
    what: 'an OpenCart shop',
    shop: true,
    platform: 'opencart',
    headers: [...APACHE, ['set-cookie', 'OCSESSID=87; path=/']],
    html: doc(
      '<title>Lamps</title><link rel="stylesheet" href="catalog/view/theme/default/stylesheet.css">',
      `<a href="index.php?route=checkout/cart">Cart</a><p class="price">$35.00</p>${FOOTER}`,
    ),
  },
  {
    what: 'a BigCommerce shop',
    shop: true,
    platform: 'bigcommerce',
    headers: [
      ...CLOUDFLARE,
      ['x-bc-store-version', '3.0'],
      ['set-cookie', 'SHOP_SESSION_TOKEN=1; path=/; secure; HttpOnly; SameSite=none'],
    ],
    html: doc(
      '<title>Fishing tackle</title><link rel="stylesheet" href="https://cdn11.bigcommerce.com/s-abc/stencil/theme.css">',
      `<a href="/cart.php">Cart</a>${SOCIALS}${FOOTER}`,
    ),
  },
  {
    what: 'a newspaper',
    headers: [
      ['server', 'nginx'],
      ['x-frame-options', 'SAMEORIGIN'],
      ['vary', 'Accept-Encoding'],
    ],
    html: doc(
      '<title>The Daily Valley – News</title><meta property="og:site_name" content="The Daily Valley"><meta name="twitter:site" content="@dailyvalley"><script type="application/ld+json">{"@type":"NewsMediaOrganization","name":"The Daily Valley"}</script>',
      `<h1>City website hacked by students</h1><p>${words(60)}</p><h2>This account has been suspended: what users can do</h2><p>${words(300)}</p><h2>Domain for sale: a village sells its name</h2><p>${words(300)}</p><h2>The site has been seized by the FBI</h2><p>${words(200)}</p><a href="https://www.facebook.com/dailyvalley">Facebook</a><p>tips: dailyvalley.tips@gmail.com, newsroom@choir.example</p>`,
    ),
  },
  {
    what: 'a single-page app',
    headers: VERCEL,
    html: doc(
      '<title>Boards</title><script type="module" crossorigin src="/assets/index-4f3a.js"></script>',
      '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>',
    ),
  },
  {
    what: 'an Angular app with an empty title of the framework',
    headers: APACHE,
    html: doc(
      '<title>Portal</title><base href="/">',
      '<app-root></app-root><script src="runtime.3d2.js" type="module"></script><script src="main.91.js" type="module"></script>',
    ),
  },
  {
    what: 'a Next.js site',
    headers: VERCEL,
    html: doc(
      '<title>Acme – invoices that write themselves</title>',
      `<div id="__next"><h1>Invoices that write themselves</h1><p>${words(80)}</p><a href="/login">Log in</a><a href="https://x.com/acme">X</a></div><script id="__NEXT_DATA__" type="application/json">{"props":{}}</script>`,
    ),
  },
  {
    what: 'documentation made by Sphinx',
    headers: [...CLOUDFLARE, ['x-served', 'Nginx-Proxito-Sendfile']],
    html: doc(
      '<title>Index of modules — widgets 2.1 documentation</title><meta name="generator" content="Docutils 0.20">',
      `<h1>Index of modules</h1><ul><li><a href="a.html">a</a></ul><p>${words(100)}</p><p>Return <code>404 Not Found</code>. Last modified on May 3.</p>`,
    ),
  },
  {
    what: 'a page of a developer at a free host',
    host: 'anna.codehost.example',
    headers: [
      ['server', 'GitHub.com'],
      ['access-control-allow-origin', '*'],
    ],
    html: doc(
      '<title>Anna Example</title>',
      `<h1>Anna Example</h1><p>I build things. Find me at <a href="https://github.com/anna">GitHub</a> and <a href="https://www.linkedin.com/in/anna">LinkedIn</a>.</p>`,
    ),
    more: { isFreeHost: true, domain: 'codehost.example' },
  },
  {
    what: 'a Wix site of a hairdresser',
    headers: [
      ['server', 'Pepyaka'],
      ['x-wix-request-id', '17'],
      ['strict-transport-security', 'max-age=86400'],
      ['x-content-type-options', 'nosniff'],
      ['set-cookie', 'XSRF-TOKEN=1; Path=/; Domain=a.example; Secure; SameSite=None'],
    ],
    html: doc(
      '<title>Hair by Mia</title><meta name="generator" content="Wix.com Website Builder">',
      `<h1>Hair by Mia</h1><p>Open Tuesday to Saturday, Main street 4.</p><a href="tel:+43123456">Call</a>${SOCIALS}`,
    ),
  },
  {
    what: 'a Squarespace portfolio',
    headers: [
      ['server', 'Squarespace'],
      ['strict-transport-security', 'max-age=0'],
    ],
    html: doc(
      '<title>Photographs — Jo Bloggs</title>',
      '<img data-src="https://images.squarespace-cdn.com/1.jpg" alt="A hill"><img alt="A lake" src="2.jpg"><p>Jo Bloggs, photographs</p>',
    ),
  },
  {
    what: 'a forum with a log-in',
    headers: [...APACHE, ['set-cookie', 'phpbb3_u=1; path=/; secure; HttpOnly']],
    html: doc(
      '<title>Vintage radios forum - Index page</title>',
      `<h1>Vintage radios forum</h1><form action="./ucp.php?mode=login" method="post"><input name="username"><input type="password" name="password"></form><p>Paid with PayPal, never arrived. My Netflix account was hacked by someone. ${words(300)}</p>`,
    ),
    more: { age: { days: 100, recent: true, veryRecent: false } },
  },
  {
    what: "a young company's log-in with Google",
    headers: VERCEL,
    html: doc(
      '<title>Sign in – Tasklist</title><script src="https://accounts.google.com/gsi/client" async></script><link rel="icon" href="/favicon.ico">',
      '<h1>Sign in to Tasklist</h1><button>Continue with Google</button><form action="/session" method="post"><input type="email"><input type="password"></form>',
    ),
    more: { age: { days: 60, recent: true, veryRecent: false } },
  },
  {
    what: 'a bank',
    headers: [
      ['server', 'Apache'],
      ['x-frame-options', 'SAMEORIGIN'],
      ['content-security-policy', "default-src 'self' https: 'unsafe-inline' 'unsafe-eval'; frame-ancestors 'self'"],
      ['strict-transport-security', 'max-age=31536000; includeSubDomains'],
      ['set-cookie', 'TS01=1; Path=/; Secure; HttpOnly'],
    ],
    html: doc(
      '<title>Valley Savings Bank | Accounts, cards, mortgages</title>',
      `<h1>Welcome to Valley Savings Bank</h1><form action="https://online.choir.example/login"><input name="user"><input type="password"></form><p>Apple Pay and Google Pay. Beware of mails that say "your account has been suspended". ${words(200)}</p><a href="https://www.facebook.com/valleysavings">Facebook</a>${FOOTER}`,
    ),
  },
  {
    what: 'a town in Classic ASP',
    headers: [
      ['server', 'Microsoft-IIS/10.0'],
      ['x-powered-by', 'ASP.NET'],
      ['x-aspnet-version', '4.0.30319'],
      ['set-cookie', 'ASP.NET_SessionId=1; path=/; HttpOnly; SameSite=Lax'],
    ],
    html: doc(
      '<title>Town of Hill</title>',
      `<table><tr><td><h1>Town of Hill</h1><p>${words(60)} Parking is free on Sundays. The fire brigade has suspended its course.</p></td></tr></table>`,
    ),
  },
  {
    what: 'a Joomla club with icons of a template',
    headers: APACHE,
    html: doc(
      '<title>Chess club Hill</title><meta name="generator" content="Joomla! - Open Source Content Management">',
      `<h1>Chess club Hill</h1><p>We meet on Fridays. chess.hill@choir.example</p><a href="#" class="menu-toggle">Menu</a><a href="https://www.facebook.com/chesshill">Facebook</a><a href="#" class="fa fa-twitter"></a>`,
      'lang="de-de"',
    ),
  },
  {
    what: 'a Drupal NGO that asks for donations',
    headers: [
      ['server', 'nginx'],
      ['x-generator', 'Drupal 10 (https://www.drupal.org)'],
      ['x-content-type-options', 'nosniff'],
      ['x-frame-options', 'SAMEORIGIN'],
    ],
    html: doc(
      '<title>Clean rivers | Home</title><meta name="Generator" content="Drupal 10">',
      `<h1>Clean rivers</h1><p>${words(120)}</p><p>€10 €25 €50 €100</p><a href="/donate">Donate with PayPal</a>${SOCIALS}${FOOTER}`,
    ),
  },
  {
    what: 'a page under construction',
    headers: APACHE,
    html: doc('<title>Coming soon</title>', '<img src="soon.png" alt="Coming soon"><p>We open in May.</p>'),
  },
  {
    what: 'a marketplace on Black Friday',
    shop: true,
    headers: CLOUDFLARE,
    html: doc(
      '<title>Black Friday – up to 80% off | Valley Market</title>',
      `<a href="/cart">Cart</a><a href="/checkout">Checkout</a><script type="application/ld+json">{"@type":"Product","name":"TV","offers":{"@type":"Offer","price":"299"}}</script><h2>Up to 80% off!</h2>${[20, 35, 15, 70, 25, 40, 30].map((off) => `<div class="card"><span class="badge">-${off}%</span><del>€100.00</del><strong>€${100 - off}.00</strong></div>`).join('')}${FOOTER}`,
    ),
  },
  {
    what: 'a restaurant on a site of 2004',
    headers: [['server', 'Apache/2.4.62 (Unix)']],
    html: '<html><head><title>Ristorante Da Mario</title></head><frameset cols="20%,80%"><frame src="menu.html"><frame src="start.html"></frameset></html>',
  },
  {
    what: 'a Japanese newspaper',
    headers: [
      ['server', 'AmazonS3'],
      ['via', '1.1 x.cloudfront.net (CloudFront)'],
    ],
    html: doc('<title>谷新聞 | ニュース</title>', `<h1>谷新聞</h1><p>${'今日のニュースをお伝えします。'.repeat(60)}</p>`, 'lang="ja"'),
  },
];
