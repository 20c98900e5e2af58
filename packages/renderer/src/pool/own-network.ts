import { type Clock, ProbeFailure, type RenderKind, type RenderOutput, SILENCE } from '@vedette/contract';
import type { Health } from '@vedette/probes/health';

/** Tells whether this machine's own network works. */
export type OwnNetwork = Pick<Health, 'verdict' | 'problem' | 'network' | 'networkSince' | 'vouch'>;

/** Whether network and resolvers passed their last tests. */
export const networkWorks = (health: Pick<OwnNetwork, 'verdict' | 'network'>): boolean =>
  health.network.ok && health.verdict('resolver') !== 'bad';

/**
 * A render of a page on the web, which says nothing of its server where our own network fails: Throws `no_network` if no page came while
 * the witnesses are silent too. Throws it for any page that came while our resolvers cannot be believed, since any server may have sent it.
 */
export async function blamingNobody<K extends RenderKind>(
  render: () => Promise<RenderOutput<K>>,
  health: Omit<OwnNetwork, 'network'>,
  clock: Pick<Clock, 'now'>,
): Promise<RenderOutput<K>> {
  const unbelieved = () => new ProbeFailure('no_network', `its resolvers cannot be believed: ${health.problem('resolver')}`);
  if (health.verdict('resolver') === 'bad') throw unbelieved();
  const beside = health.vouch();
  const rendering = render();
  await rendering.catch(() => undefined);
  if (!(await beside)) throw unbelieved();
  const output = await rendering;
  const { failure } = output.result.page;
  // An answer from the time of the render does not count: the network may have failed after it.
  if (failure === undefined || !SILENCE.includes(failure.reason) || (await health.networkSince(clock.now()))) return output;
  throw new ProbeFailure('no_network', `the witnesses are silent too; ${failure.error}`);
}
