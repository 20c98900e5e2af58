import type { Clock } from '@vedette/contract';
import { toApiError } from './error-handler.ts';
import type { MeasurementLog } from './measurement-log.ts';
import type { Outlet } from './outlet.ts';
import type { Callable } from './service.ts';

const OK = 200;

/** An operation whose calls go into the measurement log, however they end, when something was sent for them. */
export function recording(callable: Callable, measurements: MeasurementLog, clock: Clock): Callable {
  const { operation, call } = callable;
  return {
    ...callable,
    async call(asked) {
      const started = clock.now();
      let outlet: Outlet | undefined;
      let status: number = OK;
      try {
        return await call({
          ...asked,
          watch(opened) {
            outlet = opened;
          },
        });
      } catch (error) {
        ({ status } = toApiError(error));
        throw error;
      } finally {
        if (outlet?.departed) {
          const { account, client, prepared } = asked;
          measurements.record({
            requestId: client.requestId,
            account: account.id,
            key: account.keyId,
            client: client.address,
            operation: operation.name,
            targets: prepared.targets,
            asked: outlet.asked,
            contacted: outlet.contacted,
            locations: prepared.locations,
            started,
            status,
          });
        }
      }
    },
  };
}
