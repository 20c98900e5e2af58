/** A company that registers names below a domain of its own, as a registry does below a top-level one. IANA knows nothing of it. */
export interface PrivateRegistry {
  /** The domain that names are registered below. */
  suffix: string;
  /** The base of its RDAP server, with a slash at the end; empty where none is known. */
  rdap: string;
  /** Its WHOIS server; empty where none is known. */
  whois: string;
}

const CENTRALNIC = 'whois.centralnic.com';

/**
 * Registries in the private section of the Public Suffix List, and the server that public lists of WHOIS and RDAP servers name for each.
 * Without a server, or with differing ones, no server is asked: a server that does not serve a suffix reports each of its names as free.
 */
const WHOIS_SERVERS: readonly (readonly [server: string, suffixes: string])[] = [
  [CENTRALNIC, 'br.com cn.com de.com eu.com jpn.com ru.com sa.com uk.com us.com za.com gb.net in.net se.net uk.net'],
  [CENTRALNIC, 'ae.org africa.com co.com com.de com.se gr.com hu.net jp.net us.org za.bz'],
  ['whois.biz.ua', 'biz.ua'],
  ['whois.co.ca', 'co.ca'],
  ['whois.co.pl', 'co.pl'],
  ['whois.co.ua', 'co.ua'],
  ['whois.eu.org', 'eu.org'],
  ['whois.flexireg.net', 'com.ru msk.ru nov.ru spb.ru msk.su nov.su spb.su'],
  ['whois.nic.priv.at', 'priv.at'],
  ['whois.pp.ua', 'pp.ua'],
  ['whois.za.net', 'za.net'],
  ['whois.za.org', 'za.org'],
];

/** Suffixes whose RDAP server is `https://rdap.centralnic.com/<suffix>/`. */
const CENTRALNIC_RDAP = new Set(WHOIS_SERVERS[0]![1].split(' '));

/** Registries without a server that we can ask. */
const UNASKED = `
mex.com radio.am radio.fm web.in it.com hk.com inc.hk ltd.hk hk.org co.nl co.no biz.dk co.dk firm.dk reg.dk store.dk
co.cz co.de co.krd edu.krd ir.md gv.uy ngo.us can.re v.ua cc.ua inf.ua ltd.ua ec.cc eu.cc gu.cc uk.cc us.cc name.pm
sch.tf biz.wf sch.wf org.yt co.scot me.scot org.scot art.pl gliwice.pl krakow.pl poznan.pl wroc.pl zakopane.pl gda.pl
gdansk.pl gdynia.pl med.pl sopot.pl lodz.pl pabianice.pl plock.pl sieradz.pl skierniewice.pl zgierz.pl aeroport.fr
avocat.fr chambagri.fr chirurgiens-dentistes.fr experts-comptables.fr medecin.fr notaires.fr pharmacien.fr port.fr
veterinaire.fr graphic.design aus.basketball nz.basketball nyc.mn`;

const REGISTRIES: ReadonlyMap<string, PrivateRegistry> = new Map(
  [
    ...UNASKED.trim()
      .split(/\s+/)
      .map((suffix) => ({ suffix, rdap: '', whois: '' })),
    ...WHOIS_SERVERS.flatMap(([whois, suffixes]) =>
      suffixes.split(' ').map((suffix) => ({
        suffix,
        rdap: CENTRALNIC_RDAP.has(suffix) ? `https://rdap.centralnic.com/${suffix}/` : '',
        whois,
      })),
    ),
  ].map((registry) => [registry.suffix, registry]),
);

/** The private registry that `name` is registered with; undefined where it is a top-level domain's, or the registry's own domain. */
export function privateRegistryOf(name: string): PrivateRegistry | undefined {
  const labels = name.split('.');
  for (let i = 1; i < labels.length - 1; i++) {
    const registry = REGISTRIES.get(labels.slice(i).join('.'));
    if (registry) return registry;
  }
  return undefined;
}
