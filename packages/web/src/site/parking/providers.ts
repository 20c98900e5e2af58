import { isAtOrUnder } from '@vedette/contract';

/** A service that holds names which wait for a buyer, and how its work is recognised. */
interface ParkingProvider {
  name: string;
  /** Hosts, with the beginning of a path where the host has other uses, from which only its parked pages load code. */
  code: readonly string[];
  /** Domains to which it sends visitors of a parked name: its market. */
  market: readonly string[];
  /** Domains of the name servers that it gives to parked names. A registrar's ordinary name servers are not here. */
  servers: readonly string[];
}

const provider = (name: string, marks: Partial<Omit<ParkingProvider, 'name'>>): ParkingProvider => ({
  name,
  code: [],
  market: [],
  servers: [],
  ...marks,
});

/**
 * Parking services, markets and registrars, from public block lists, detectors and saved pages. Registrars' own sites load code from their own hosts, so a row names the host or path
 * of the parked pages alone: `img1.wsimg.com` serves every site of GoDaddy's builder, `img1.wsimg.com/parking-lander` parked ones.
 */
const PROVIDERS: readonly ParkingProvider[] = [
  provider('Sedo', { code: ['sedoparking.com'], market: ['sedo.com'], servers: ['sedoparking.com'] }),
  provider('Bodis', { code: ['bodis.com', 'bodiscdn.com'], servers: ['bodis.com'] }),
  provider('ParkingCrew', {
    code: ['parkingcrew.net', 'parkingcrew.com', 'parking-crew.com', 'd38psrni17bvxu.cloudfront.net', 'iseaskies.com', 'youseasky.com'],
    servers: ['parkingcrew.net', 'parkingcrew.com'],
  }),
  provider('GoDaddy', {
    code: ['img1.wsimg.com/parking-lander', 'mcc.godaddy.com/park'],
    servers: ['cashparking.com', 'namefind.com', 'smartname.com'],
  }),
  provider('Afternic', { code: ['lander.afternic.com'], market: ['afternic.com'], servers: ['afternic.com'] }),
  provider('Dan.com', {
    code: ['cdn0.dan.com', 'cdn1.dan.com', 'cdn2.dan.com'],
    market: ['dan.com', 'undeveloped.com'],
    servers: ['dan.com'],
  }),
  provider('HugeDomains', { market: ['hugedomains.com'], servers: ['hugedomainsdns.com'] }),
  provider('Above.com', { code: ['above.com/park'], servers: ['above.com', 'trellian.com'] }),
  provider('ParkLogic', { code: ['parklogic.com'], servers: ['parklogic.com', 'parklogic.net'] }),
  provider('Uniregistry', { market: ['uniregistry.com'], servers: ['uniregistry-dns.com', 'uniregistry-dns.net'] }),
  provider('Skenzo', { code: ['skenzo.com', 'l.cdn-fileserver.com'], servers: ['skenzo.com', 'ztomy.com'] }),
  provider('Namecheap', { code: ['parkingpage.namecheap.com'], market: ['parkingpage.namecheap.com'] }),
  provider('Squarespace', {
    code: [
      'assets.squarespace.com/universal/scripts-compressed/parking-page',
      'assets.squarespace.com/universal/styles-compressed/parking-page',
    ],
  }),
  provider('AfterMarket.pl', { code: ['aftermarket.pl'], market: ['aftermarket.pl'], servers: ['aftermarket.pl'] }),
  provider('DomainNameSales', { code: ['domainnamesales.com'], market: ['domainnamesales.com'] }),
  provider('BuyDomains', { market: ['buydomains.com'] }),
  provider('DomainMarket', { code: ['cdn.domainmarket.com/static-landers'], market: ['domainmarket.com'], servers: ['domainmarket.com'] }),
  provider('Atom', { market: ['atom.com', 'squadhelp.com'] }),
  provider('BrandBucket', { market: ['brandbucket.com'], servers: ['brandbucket.com'] }),
  provider('Efty', { servers: ['efty.com', 'eftydns.com'] }),
  provider('Epik', { servers: ['parking.epik.com'] }),
  provider('Fabulous', { code: ['fabulous.com'], servers: ['fabulous.com'] }),
  provider('SmartName', { code: ['smartname.com'] }),
  provider('Voodoo', { code: ['voodoo.com'], servers: ['voodoo.com'] }),
  provider('NameDrive', { code: ['cdnpark.com'], servers: ['namedrive.com', 'fastpark.net'] }),
  provider('DomainSponsor', { code: ['dsparking.com'], servers: ['domainsponsor.com', 'dsredirection.com'] }),
  // Its advertisements run under Google's account "ca-dp-rookmedia".
  provider('Rook Media', { code: ['rmgserving.com'] }),
  provider('DomainParking.ru', { code: ['domainparking.ru'] }),
  provider('Reg.ru', { code: ['parking.reg.ru'], servers: ['parking.reg.ru'] }),
  provider('Parked.com', { servers: ['parked.com'] }),
];

/** The provider whose parked pages load code from this URL; undefined for any other. */
export function codeOf(url: string): string | undefined {
  const written = url.startsWith('//') ? `https:${url}` : url;
  if (!URL.canParse(written)) return undefined;
  const { hostname, pathname } = new URL(written);
  const at = `${hostname}${pathname}`;
  return PROVIDERS.find(({ code }) =>
    code.some((mark) => (mark.includes('/') ? at.replace(/^www\./, '').startsWith(mark) : isAtOrUnder(hostname, mark))),
  )?.name;
}

/** The provider whose market a host is; undefined for any other. */
export const marketOf = (host: string): string | undefined =>
  PROVIDERS.find(({ market }) => market.some((domain) => isAtOrUnder(host, domain)))?.name;

/** Whether a domain is a provider's own, whose site loads its code and leads to its market without being parked. */
export const isProviders = (domain: string): boolean =>
  PROVIDERS.some(({ code, market, servers }) =>
    [...code, ...market, ...servers].some((mark) => isAtOrUnder(domain, mark.split('/', 1)[0]!)),
  );

/** The provider of a name server for parked names; empty where it is not known. */
export const parkingProviderOf = (server: string): string =>
  PROVIDERS.find(({ servers }) => servers.some((domain) => isAtOrUnder(server, domain)))?.name ?? '';
