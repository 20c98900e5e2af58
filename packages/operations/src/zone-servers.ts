import { type DnsPorts, lookUp } from '@vedette/intel/lookup';

/** One of a zone's own name servers. */
export interface ZoneServer {
  name: string;
  address: string;
}

const ZONE_SERVERS_MAX = 4;
const MAX_LABELS_CLIMBED = 6;
/** What finding them takes at the most. */
export const ZONE_QUERIES_MAX = MAX_LABELS_CLIMBED + 2 * ZONE_SERVERS_MAX;

/**
 * The name servers of the zone that holds `host`, with an address each, IPv4 where they have one; empty when nobody says.
 * Rejects with the signal's reason, and with the gate's `ApiError`.
 */
export async function zoneServers(host: string, ports: DnsPorts): Promise<ZoneServer[]> {
  const labels = host.split('.');
  for (let climbed = 0; climbed < Math.min(labels.length, MAX_LABELS_CLIMBED); climbed++) {
    const { records, cname } = await lookUp(ports, labels.slice(climbed).join('.'), 'NS');
    // Behind a CNAME stand the servers of another zone.
    if (records.length === 0 || cname !== '') continue;
    const servers = records.slice(0, ZONE_SERVERS_MAX).map(async ({ data: name }) => {
      const record = (await lookUp(ports, name, 'A')).records[0] ?? (await lookUp(ports, name, 'AAAA')).records[0];
      return record ? [{ name, address: record.data }] : [];
    });
    return (await Promise.all(servers)).flat();
  }
  return [];
}
