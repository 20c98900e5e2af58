import { parseIp, ProbeFailure, recordsOf, type Resolver } from '@vedette/contract';

/**
 * A resolver that does not ask for inner names, nor answers with what they hold when another name is an alias of one: such questions
 * reject with `ProbeFailure` blocked_policy, whether the inner name exists or not. Public hosts have a dot in their names; a name without
 * one, asked for its addresses, is an inner one. `isInner` is given names in lower case without the trailing dot.
 */
export function refusing(resolver: Resolver, isInner: (name: string) => boolean): Resolver {
  const refuse = (name: string): void => {
    if (isInner(name)) throw new ProbeFailure('blocked_policy', name);
  };
  const hasDot = (name: string): boolean => name.includes('.');
  // The alias is not named: behind one that its owner published there may be others that are known inside only.
  const refuseAlias = (host: string, refused: boolean): void => {
    if (refused) throw new ProbeFailure('blocked_policy', `${host} is an alias of an inner name`);
  };
  return {
    servers: resolver.servers,
    async query(name, type, options) {
      const queryName = normal(name);
      refuse(queryName);
      const answer = await resolver.query(name, type, options);
      refuseAlias(
        queryName,
        answer.answers.some((record) => record.name !== queryName && isInner(record.name)),
      );
      // A question for the alias itself gets the record that its owner published.
      if (type !== 'CNAME')
        refuseAlias(
          queryName,
          recordsOf(answer, 'CNAME').some(({ data }) => isInner(data) || !hasDot(data)),
        );
      return answer;
    },
    async addresses(host, family, options) {
      const queryName = normal(host);
      refuse(queryName);
      if (!hasDot(queryName) && !parseIp(queryName)) throw new ProbeFailure('blocked_policy', queryName);
      return await resolver.addresses(host, family, {
        ...options,
        onAlias(name) {
          refuseAlias(queryName, isInner(name) || !hasDot(name));
          options?.onAlias?.(name);
        },
      });
    },
  };
}

const normal = (name: string): string => name.toLowerCase().replace(/\.$/, '');
