import type { Clock } from '@vedette/contract';
import type { Feeds } from '@vedette/intel/feeds';
import type { Ledger } from '@vedette/ledger';
import type { ParserPool } from '@vedette/message/parser';
import type { Logger } from '@vedette/process/log';
import type { GatewayConfig } from '../config/config.ts';
import type { ClientAddressReader } from '../door/client-address.ts';
import type { ConnectionLimits } from '../door/connections.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { OpenPorts } from '../intel/ports.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Pools } from '../shares/pools.ts';
import type { TargetRates } from '../shares/target-rates.ts';
import type { Provider } from '../sign-in/provider.ts';
import type { Calls } from './calls.ts';
import type { MeasurementLog } from './measurement-log.ts';

/** Where a gateway is between its start and its end. */
export interface State {
  /** The API takes connections. */
  listening: boolean;
  /** Told to stop: still served, but load balancers should go elsewhere. */
  stopping: boolean;
  /** Nothing new is served. */
  draining: boolean;
}

/** The parts of a gateway. `gateway.ts` builds each part, and hands all of them over whole. */
export interface Parts {
  config: GatewayConfig;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  ledger: Ledger;
  fleet: Fleet;
  intel: OpenPorts;
  feeds: Feeds;
  pools: Pools;
  parsers: ParserPool;
  /** Undefined: nothing is limited. */
  rates: TargetRates | undefined;
  calls: Calls;
  /** Undefined: none is kept. */
  measurements: MeasurementLog | undefined;
  /** Undefined: people have no other way in than keys. */
  provider: Provider | undefined;
  addresses: ClientAddressReader;
  connectionLimits: ConnectionLimits;
  state: Readonly<State>;
}
