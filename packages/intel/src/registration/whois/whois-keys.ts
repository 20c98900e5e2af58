// Keys as the registries write them, in lower case; docs/registries.md says whose they are.
export const CREATED = [
  'creation date',
  'created',
  'created on',
  'created date',
  'created at',
  'create date',
  'registered on',
  'registered date',
  'registered at',
  'registered',
  'registration date',
  'registration time',
  'domain name commencement date',
  'domain registration date',
  'domain created',
  'domain creation date',
  'date_approved',
  'registration',
  'domain_dateregistered',
  'record created',
  'assigned',
  'registration created',
  'first registration date',
  'date created',
  'activation',
  'fecha de creacion',
  'fecha de activacion',
  'fecha de registro',
  'date de création',
  'entry created',
  'domain record activated',
  'domain create date',
  'date registered',
];
export const UPDATED = [
  'updated date',
  'last update',
  'last-update',
  'last updated',
  'last updated on',
  'last updated date',
  'last modified',
  'modified',
  'changed',
  'domain_datelastmodified',
  'ultima actualizacion',
  'dernière modification',
  'entry updated',
  'record last modified',
  'record last updated on',
];
export const EXPIRES = [
  'registry expiry date',
  'registrar registration expiration date',
  'expiration date',
  'expiry date',
  'expires',
  'expires on',
  'expire date',
  'expire',
  'paid-till',
  'renewal date',
  'expiration time',
  'record expires',
  'record expires on',
  'date_renewal',
  'validity',
  'expiration',
  'valid-date',
  'fecha de vencimiento',
  "date d'expiration",
  'record expired',
  'domain expiration date',
  'domain expires',
];
export const PAGES = ['url', 'website', 'web', 'www', 'registrar info', 'registration service url'];
export const REGISTRAR = [
  'registrar',
  'registrar name',
  'registrar-name',
  'registrar_name',
  'sponsoring registrar',
  'authorized agency',
  'registration service provider',
  'registrado por',
];
export const NAMESERVERS = [
  'name server',
  'name servers',
  'nserver',
  'nameserver',
  'nameservers',
  'host name',
  'hostname',
  'domain servers',
  'domain nameservers',
  'domain name servers',
  'name servers information',
  'name servers in the listed order',
  'dns_name',
  'servers',
  'domain servers in listed order',
  'name server (db)',
  ...Array.from({ length: 13 }, (_, i) => `ns_name_${String(i + 1).padStart(2, '0')}`),
  ...Array.from({ length: 13 }, (_, i) => `ns${i + 1}_hostname`),
];
export const OWNER_ORGANIZATION = ['registrant organization', 'registrant organisation', 'descr'];
/** Only the block that names the domain can tell the owner of these. */
export const OWN_ORGANIZATION = ['org', 'owner', 'organization'];
export const ORGANIZATION = ['organization', 'organisation', 'organization name', 'org', 'organization-loc'];
export const NOBODY = /^no registrar listed/i;
export const OWNER_SECTIONS = /^(?:registrant|holder|owner|domain holder|registrant contact|domain owner)/;
export const CONTACT_SECTIONS = /registrant|admin|tech|billing|contact|holder|owner|registrar|reseller/;
/** Keys that begin the description of a contact in RPSL and its like. */
export const CONTACT_KEYS = new Set(['nic-hdl', 'nic-hdl-br', 'contact', 'personname', 'role', 'contact id', 'contact-id']);
export const REFERRALS = ['refer', 'registrar whois server', 'whois server', 'whois', 'referralserver'];

/** Where a format names the domain; the question itself only where nothing else does. */
export const NAMES = [
  'domain name',
  'domain',
  'domain name (utf-8)',
  'domain_name',
  'domainname',
  'domain-name',
  'complete domain name',
  'dominio',
  'nombre de dominio',
  'nom de domaine',
];
export const QUESTIONS = ['query'];
export const STATUSES = ['status', 'domain status', 'registration status', 'state', 'domain-status', 'domaintype', 'estatus del dominio'];
