import { type Clock, ProbeFailure, type RenderKind, type RenderOutput, SILENCE } from '@vedette/contract';
import type { ResolverSelfTest, WitnessTest } from '@vedette/probes/dns';

/** Tells whether this machine's own network works. */
export interface OwnNetwork {
  witnessTest: Pick<WitnessTest, 'state' | 'confirm'>;
  /** Undefined: the resolvers are not tested. */
  resolverTest: Pick<ResolverSelfTest, 'state' | 'vouch'> | undefined;
}

/** Whether both tests were passed when they were last taken. */
export const networkWorks = ({ witnessTest, resolverTest }: OwnNetwork): boolean =>
  witnessTest.state.ok && resolverTest?.state.ok !== false;

/**
 * A render of a page on the web, which says nothing of its server where our own network fails: Throws `no_network` if no page came while
 * the witnesses are silent too. Throws it for any page that came while our resolvers cannot be believed, since any server may have sent it.
 */
export async function blamingNobody<K extends RenderKind>(
  render: () => Promise<RenderOutput<K>>,
  { witnessTest, resolverTest, clock }: OwnNetwork & { clock: Clock },
): Promise<RenderOutput<K>> {
  const unbelieved = () => new ProbeFailure('no_network', `its resolvers cannot be believed: ${resolverTest?.state.problem}`);
  if (resolverTest?.state.ok === false) throw unbelieved();
  const beside = resolverTest?.vouch();
  const rendering = render();
  await rendering.catch(() => undefined);
  if (beside && !(await beside)) throw unbelieved();
  const output = await rendering;
  const { failure } = output.result.page;
  // An answer from the time of the render does not count: the network may have failed after it.
  if (failure === undefined || !SILENCE.includes(failure.reason) || (await witnessTest.confirm(clock.now()))) return output;
  throw new ProbeFailure('no_network', `the witnesses are silent too; ${failure.error}`);
}
