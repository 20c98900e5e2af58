/** Prints which ICMP engine is chosen where and as whom it is started. */
import { systemClock } from '@vedette/probes/net';
import { openIcmpEngine } from '../../../../packages/probes/src/net/icmp/open.ts';

const notes: string[] = [];
const engine = await openIcmpEngine({ clock: systemClock, netPing: true, onNote: (note) => notes.push(note) });
process.stdout.write(JSON.stringify({ engine: engine ? { name: engine.name, v4: engine.v4, v6: engine.v6 } : null, notes }));
await engine?.close();
