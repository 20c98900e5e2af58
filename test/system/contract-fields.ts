/** A field of the API contract and its type, written by hand from the contract: our own schemas are not asked. */
type Kind = 'string' | 'boolean' | 'integer' | 'number' | 'array' | 'object' | 'yes/no/unknown' | 'date';

const all = (names: string, kind: Kind, path = ''): [string, Kind][] => names.split(/\s+/).map((name) => [path + name, kind]);
const BLACKLISTS = (path: string): [string, Kind][] => [
  [`${path}.engines`, 'object'],
  ...all('detections engines_count scan_time_ms', 'integer', `${path}.`),
  [`${path}.detection_rate`, 'string'],
];
const SERVER: [string, Kind][] = [
  ...all('ip continent_code continent_name country_code country_name region_name city_name isp asn', 'string', 'server_details.'),
  ...all('latitude longitude', 'number', 'server_details.'),
];

export const CONTRACT_FIELDS: Readonly<Record<string, readonly [path: string, kind: Kind][]>> = {
  'ip-reputation': [
    ...all('ip version', 'string'),
    ...BLACKLISTS('blacklists'),
    ...all(
      'reverse_dns continent_code continent_name country_code country_name currency currency_name currency_name_plural currency_symbol currency_symbol_native calling_code emoji_flag emoji_flag_unicode region_name city_name isp asn related_service_name related_service_domain related_service_type cloud_provider cloud_provider_domain cloudvendor_service edge_service edge_service_domain',
      'string',
      'information.',
    ),
    ...all('latitude longitude', 'number', 'information.'),
    ...all(
      'is_eu is_bogon is_blocklist_drop is_fake_bot is_vendorx_bot is_search_engine_bot is_major_provider_spf_ip is_public_dns is_vendorx_service is_satellite',
      'boolean',
      'information.',
    ),
    ...all('asn asname route status org country_code created updated address abuse_email domain type rir', 'string', 'asn.'),
    ...all('days_since_created days_since_updated total_ipv4_prefixes total_ipv4_ips total_ipv6_prefixes', 'integer', 'asn.'),
    ...all('is_proxy is_webproxy is_residential_proxy is_vpn is_hosting is_relay is_tor', 'boolean', 'anonymity.'),
    ['risk_score.result', 'integer'],
  ],
  'domain-reputation': [
    ['host', 'string'],
    ...BLACKLISTS('blacklists'),
    ...SERVER,
    ['server_details.reverse_dns', 'string'],
    ...all(
      'is_free_hosting is_anonymizer is_url_shortener is_free_dynamic_dns is_code_sandbox is_form_builder is_free_file_sharing is_pastebin is_qrcode_service',
      'boolean',
      'category.',
    ),
    ...all(
      'is_most_abused_tld is_domain_ipv4_assigned is_domain_ipv4_private is_domain_ipv4_loopback is_domain_ipv4_reserved is_domain_ipv4_valid is_domain_blacklisted is_uncommon_host_length is_uncommon_dash_char_count is_uncommon_dot_char_count is_suspicious_homoglyph is_possible_typosquatting is_uncommon_clickable_domain is_risky_category',
      'boolean',
      'security_checks.',
    ),
    ...all('detections_count domain_age_in_days domain_age_in_months domain_age_in_years', 'integer', 'security_checks.'),
    ...all('is_domain_recent is_domain_very_recent', 'yes/no/unknown', 'security_checks.'),
    ...all('website_popularity domain_creation_date', 'string', 'security_checks.'),
    ...all('root_domain subdomain tld', 'string', 'domain_parts.'),
    ['risk_score.result', 'integer'],
  ],
  'site-trust': [
    ['host', 'string'],
    ...all('ns mx', 'array', 'dns_records.'),
    ['dns_records.cname', 'string'],
    ...BLACKLISTS('domain_blacklist'),
    ['ecommerce_platform.is_other', 'boolean'],
    ['geo_location.countries', 'array'],
    ...all(
      'title description keywords robots canonical og_image article_publisher og_site_name socialnet_site generator ld_organization lang',
      'string',
      'html_info.',
    ),
    ...all('found external', 'boolean', 'redirection.'),
    ['redirection.url', 'string'],
    ['response_headers.code', 'integer'],
    ['response_headers.status', 'string'],
    ...all(
      'is_suspended_site is_most_abused_tld is_robots_noindex is_website_accessible is_empty_page_content is_redirect_to_search_engine is_suspicious_redirect is_http_status_error is_http_server_error is_http_client_error is_empty_page_title is_ipv6_enabled is_domain_blacklisted is_suspicious_domain is_sinkholed_domain is_http_redirected_to_https is_directory_listing is_domain_ipv4_assigned is_domain_ipv4_private is_domain_ipv4_loopback is_domain_ipv4_reserved is_domain_ipv4_valid is_uncommon_host_length is_uncommon_dash_char_count is_uncommon_dot_char_count is_email_configured is_email_spoofable is_dmarc_configured is_dmarc_enforced is_caa_configured is_external_redirect is_custom_404_configured is_valid_https is_ssl_blacklisted is_ssl_expired is_ssl_revoked is_hsts_header is_referrer_policy_header is_unsafe_url_in_referrer_policy_header is_csp_header is_unsafe_eval_in_csp_header is_unsafe_inline_in_csp_header is_content_type_options_header is_frame_options_header is_xss_protection_header is_permissions_policy_header is_set_cookie_header is_secure_on_all_cookies is_server_header_exposing_version is_powered_by_header_exposed is_aspnet_version_header_exposed is_dnssec_enabled is_dnssec_signed is_defaced_heuristic is_website_popular is_ecommerce_platform is_high_discounts is_fake_socials is_heuristic_pattern is_free_email is_risky_geo_location is_china_country is_nigeria_country',
      'boolean',
      'security_checks.',
    ),
    ...all(
      'ssl_type ssl_issuer_organization ssl_issuer_country ssl_subject_organization ssl_subject_common_name ssl_subject_country domain_creation_date is_domain_recent is_domain_very_recent',
      'string',
      'security_checks.',
    ),
    ...all('http_status_code domain_age_in_days domain_age_in_months domain_age_in_years', 'integer', 'security_checks.'),
    ...SERVER,
    ['server_details.hostname', 'string'],
    ['trust_score.result', 'integer'],
    ...all('scheme host host_nowww path query', 'string', 'url_parts.'),
    ['url_parts.port', 'integer'],
  ],
  'reverse-ip': [
    ['ip', 'string'],
    ...all('page_num records_num', 'integer'),
    ['domains', 'array'],
    ['domains.0.name', 'string'],
    ['domains.0.updated', 'date'],
  ],
  'asn-info': [
    ...all('asn asname status org country_code created updated address abuse_email domain type rir', 'string'),
    ...all(
      'days_since_created months_since_created years_since_created days_since_updated months_since_updated years_since_updated',
      'integer',
    ),
    ...all('routes.ipv4.total_prefixes routes.ipv4.total_ips routes.ipv6.total_prefixes', 'integer'),
    ['routes.ipv6.total_ips', 'string'],
    ...all('routes.ipv4.prefixes routes.ipv6.prefixes', 'array'),
  ],
  'domain-info': [
    ...all(
      'host debug_message domain_creation_date registrar registrar_url registrar_abuse_email registrar_abuse_form registrar_socialnet owner_organization owner_country owner_state_province owner_email_hash owner_email_domain dnssec',
      'string',
    ),
    ...all('domain_age_found owner_free_email owner_private_person whois_data_hidden', 'boolean'),
    ['domain_registered', 'yes/no/unknown'],
    ...all('domain_age_in_days domain_age_in_months domain_age_in_years', 'integer'),
    ['nameservers', 'array'],
    ...all('nameservers.0.name nameservers.0.ipv4 nameservers.0.ipv6', 'string'),
  ],
  'phone-validator': [
    ...all('valid disposable abusive', 'boolean'),
    ...all(
      'number local_format international_format e164_format uri country_prefix country_code country_name location carrier line_type',
      'string',
    ),
  ],
};

const isOf = (value: unknown, kind: Kind): boolean => {
  if (kind === 'integer') return Number.isInteger(value);
  if (kind === 'array') return Array.isArray(value);
  if (kind === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (kind === 'yes/no/unknown') return ['yes', 'no', 'unknown'].includes(String(value));
  if (kind === 'date') return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(value));
  return typeof value === kind;
};

/** Fields of the contract that a report lacks, or has with another type. */
export function contractBreaches(operation: string, report: unknown): string[] {
  const fields: readonly [string, Kind][] = [...CONTRACT_FIELDS[operation]!, ['elapsed_ms', 'integer']];
  return fields.flatMap(([path, kind]) => {
    const value = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], report);
    return isOf(value, kind) ? [] : [`${path} is no ${kind}: ${JSON.stringify(value)}`];
  });
}
