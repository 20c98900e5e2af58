/**
 * Names of vocabularies and document types that look like URLs. Programs write them and readers do not follow them: the markup of Office,
 * of feeds and of scripts is full of them. Strangers cannot publish at these URLs.
 */
const NAMESPACE =
  /^https?:\/\/(?:www\.w3\.org\/(?:\d{4}\/|TR\/|ns\/)|schemas\.(?:microsoft|openxmlformats|xmlsoap|android|live)\.(?:com|org)(?:\/|$)|ns\.adobe\.com\/|purl\.org\/|schema\.org(?:\/|$)|ogp\.me\/ns|xmlns\.com\/|java\.sun\.com\/(?:xml|dtd)\/|xmlns\.jcp\.org\/|www\.opengis\.net\/|(?:xml|maven)\.apache\.org\/|docs\.oasis-open\.org\/ns\/|relaxng\.org\/ns\/|docbook\.org\/ns\/|tempuri\.org\/|www\.sitemaps\.org\/schemas\/|(?:www\.)?tzurl\.org\/)/i;

export const isNamespace = (url: string): boolean => NAMESPACE.test(url);
