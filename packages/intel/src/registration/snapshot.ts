/**
 * The entries of IANA's bootstrap files for the largest domains and the five regional registries, for a machine that cannot reach IANA.
 * Only servers of long standing: a wrong one would make registered names look free.
 */
export const SHIPPED_BOOTSTRAP = {
  'dns.json': {
    services: [
      [['com'], ['https://rdap.verisign.com/com/v1/']],
      [['net'], ['https://rdap.verisign.com/net/v1/']],
      [['org'], ['https://rdap.publicinterestregistry.org/rdap/']],
      [['info'], ['https://rdap.identitydigital.services/rdap/']],
      [['app', 'dev', 'page'], ['https://pubapi.registry.google/rdap/']],
      [['uk'], ['https://rdap.nominet.uk/uk/']],
      [['nl'], ['https://rdap.sidn.nl/']],
      [['fr'], ['https://rdap.nic.fr/']],
      [['pl'], ['https://rdap.dns.pl/']],
      [['cz'], ['https://rdap.nic.cz/']],
      [['no'], ['https://rdap.norid.no/']],
      [['br'], ['https://rdap.registro.br/']],
      [['ar'], ['https://rdap.nic.ar/']],
    ],
  },
  // ARIN redirects to the others what is theirs, so of them only the large blocks stand here.
  'asn.json': {
    services: [
      [['36864-37887', '327680-329727'], ['https://rdap.afrinic.net/rdap/']],
      [
        ['4608-4865', '7467-7722', '9216-10239', '17408-18431', '23552-24575', '37888-38911', '45056-46079', '55296-56319'],
        ['https://rdap.apnic.net/'],
      ],
      [['58368-59391', '63488-64098', '64297-64395', '131072-139577'], ['https://rdap.apnic.net/']],
      [['26592-26623', '27648-28671', '52224-53247', '61440-61951', '64099-64197', '262144-273820'], ['https://rdap.lacnic.net/rdap/']],
      [
        ['1877-1901', '3154-3353', '5377-5631', '6656-6911', '8192-9215', '12288-13311', '15360-16383', '20480-21503', '24576-25599'],
        ['https://rdap.db.ripe.net/'],
      ],
      [
        ['28672-29695', '30720-31743', '33792-35839', '38912-39935', '40960-45055', '47104-52223', '56320-58367', '59392-61439'],
        ['https://rdap.db.ripe.net/'],
      ],
      [['61952-62463', '64396-64495', '196608-213403'], ['https://rdap.db.ripe.net/']],
      [['1-64495', '393216-401308'], ['https://rdap.arin.net/registry/']],
    ],
  },
} as const;
