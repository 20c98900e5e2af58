import { ApiError, type ParsedHost } from '@vedette/contract';
import { Type } from 'typebox';

/** The parameter of operations that measure one family of a host. */
export const Family = () =>
  Type.Optional(
    Type.Unsafe<4 | 6>({
      type: 'integer',
      enum: [4, 6],
      description: 'IP version. Absent: IPv4 if the host has it, otherwise IPv6',
      examples: [6],
    }),
  );

/** The family of the job, 0 for either. Throws `ApiError` parameter_conflict if the host is an address of the other family. */
export function familyOf(family: 4 | 6 | undefined, { kind }: ParsedHost): 0 | 4 | 6 {
  if (family !== undefined && kind !== 'name' && kind !== `ipv${family}`)
    throw new ApiError('parameter_conflict', `family ${family} and an address of the other one`, { param: 'family' });
  return family ?? 0;
}
