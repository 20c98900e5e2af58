import { type Fields, valuesOf } from '../headers.ts';
import type { PageFacts } from '../visit/page-facts.ts';

export const PLATFORMS = ['shopify', 'woocommerce', 'magento', 'prestashop', 'bigcommerce', 'opencart'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** How a shop system shows itself. Any one of these is enough; each is something that only the system itself puts there. */
interface Fingerprint {
  /** A field that is there, whatever its value or with one like this. */
  headers?: readonly (readonly [name: string, value?: RegExp])[];
  cookies?: RegExp;
  /** Content of `meta name="generator"`. */
  generator?: RegExp;
  /** A script or style sheet; pictures do not count, since any site may show a shop's picture. */
  code?: RegExp;
  rootClass?: RegExp;
  dataScript?: RegExp;
  inline?: RegExp;
  link?: RegExp;
}

const FINGERPRINTS: Readonly<Record<Platform, Fingerprint>> = {
  shopify: {
    headers: [['x-shopid'], ['x-shopify-stage'], ['x-sorting-hat-shopid'], ['powered-by', /^shopify$/i]],
    cookies: /^_shopify_(?:y|s|essential)$/,
    code: /^(?:https?:)?\/\/cdn\.shopify\.com\/(?:s\/files|shopifycloud)\/|\/cdn\/shop\/(?:t|files)\//i,
    inline: /\bShopify\.(?:shop|theme)\s*=/,
  },
  woocommerce: {
    generator: /^WooCommerce\b/i,
    cookies: /^(?:woocommerce_(?:cart_hash|items_in_cart)|wp_woocommerce_session_)/,
    code: /\/wp-content\/plugins\/woocommerce\//i,
    rootClass: /^woocommerce(?:-page|-js|-no-js|-active)?$/,
    inline: /\bwc_add_to_cart_params\s*=/,
  },
  magento: {
    headers: [['x-magento-vary'], ['x-magento-tags'], ['x-magento-cache-debug'], ['x-magento-cache-id']],
    cookies: /^(?:mage-|X-Magento-Vary$)/,
    code: /\/static\/(?:version\d+\/)?frontend\/|\/skin\/frontend\/|\/js\/mage\//i,
    dataScript: /^text\/x-magento-init$/,
  },
  prestashop: {
    headers: [['powered-by', /^prestashop$/i]],
    generator: /^PrestaShop\b/i,
    cookies: /^PrestaShop-/,
    inline: /\bvar prestashop\s*=/,
  },
  bigcommerce: {
    headers: [['x-bc-store-version'], ['x-bc-storefront-request-id']],
    cookies: /^(?:SHOP_SESSION_TOKEN|fornax_anonymousId)$/,
    code: /^(?:https?:)?\/\/cdn\d*\.bigcommerce\.com\/(?:s-|r-)/i,
  },
  opencart: {
    cookies: /^OCSESSID$/,
    code: /\bcatalog\/view\/(?:theme|javascript)\//i,
    link: /index\.php\?route=(?:product\/|checkout\/cart|common\/home)/i,
  },
};

/** Systems and services that the report has no field of their own for. */
const OTHER: Fingerprint = {
  headers: [['x-shopware-cache-id'], ['sw-context-token'], ['x-dw-request-base-id'], ['x-oracle-commerce']],
  generator:
    /^(?:Shopware|OXID|osCommerce|nopCommerce|Zen Cart|CubeCart|JTL-Shop|Ecwid|modified eCommerce|Drupal Commerce|Odoo eCommerce)\b/i,
  code: /static\.parastorage\.com\/services\/wixstores|squarespace\.com\/universal\/scripts-compressed\/commerce|demandware\.static|app\.ecwid\.com\/script\.js|cdn\.salla\.|\/bundles\/storefront\/|cdn\.shoplineapp\.com|static\.nopcommerce/i,
  cookies: /^(?:sw-states|dwsid|nopCommerce\.)/i,
};

/** Paths of carts and tills, in the languages of most shops. */
const CART =
  /\/(?:cart|basket|shopping-?cart|shopping-?bag|bag|warenkorb|panier|carrito|cesta|carrello|carrinho|winkelwagen|koszyk|kosik|varukorg|handlekurv|kurv|sepet|korzina)(?:[/?.#]|$)/i;
const CHECKOUT = /\/(?:checkout|kasse|caisse|commande|pagar|cassa|finalizar|afrekenen|kassa|zamowienie|pokladna|odeme)(?:[/?.#]|$)/i;
const PRODUCT_TYPES = ['Product', 'Offer', 'AggregateOffer', 'OnlineStore'];

export interface Commerce {
  platforms: ReadonlySet<Platform>;
  /** It is a shop by its looks, or by a system that the report has no field for. */
  other: boolean;
}

/** The shop systems of a page, and whether it is a shop of another kind. */
export function findCommerce(fields: Fields, cookies: readonly { name: string }[], page: PageFacts): Commerce {
  const shows = (fingerprint: Fingerprint): boolean => isShown(fingerprint, fields, cookies, page);
  const platforms = new Set(PLATFORMS.filter((platform) => shows(FINGERPRINTS[platform])));
  const sells = page.hasPriceMarkup || PRODUCT_TYPES.some((type) => page.schemaTypes.has(type)) || page.prices.length >= 3;
  const hasCart = page.links.some(({ href }) => CART.test(href));
  const hasCheckout = page.links.some(({ href }) => CHECKOUT.test(href));
  return { platforms, other: platforms.size === 0 && (shows(OTHER) || (sells && hasCart && (hasCheckout || page.prices.length >= 3))) };
}

function isShown(print: Fingerprint, fields: Fields, cookies: readonly { name: string }[], page: PageFacts): boolean {
  const code = page.assets.filter(({ kind }) => kind === 'script' || kind === 'style');
  return (
    (print.headers ?? []).some(([name, value]) => valuesOf(fields, name).some((found) => value?.test(found) ?? true)) ||
    some(
      print.cookies,
      cookies.map(({ name }) => name),
    ) ||
    some(print.generator, [page.info.generator]) ||
    some(
      print.code,
      code.map(({ url }) => url),
    ) ||
    some(print.rootClass, page.rootClasses) ||
    some(print.dataScript, page.dataScripts) ||
    some(print.inline, page.inlineScripts) ||
    some(
      print.link,
      page.links.map(({ href }) => href),
    )
  );
}

const some = (pattern: RegExp | undefined, texts: readonly string[]): boolean =>
  pattern !== undefined && texts.some((text) => pattern.test(text));
