import { ProbeFailure, type Resolver } from '@vedette/contract';

/**
 * A resolver that does not ask for inner names, nor answers with what they hold when another name is an alias of one: such questions
 * reject with `ProbeFailure` blocked_policy. `isInner` is given names in lower case without the trailing dot.
 */
export function refusing(resolver: Resolver, isInner: (name: string) => boolean): Resolver {
  const refuse = (name: string): void => {
    if (isInner(name)) throw new ProbeFailure('blocked_policy', name);
  };
  return {
    servers: resolver.servers,
    async query(name, type, options) {
      const asked = normal(name);
      refuse(asked);
      const answer = await resolver.query(name, type, options);
      for (const record of answer.answers) if (record.name !== asked) refuse(record.name);
      return answer;
    },
    async addresses(host, family, options) {
      refuse(normal(host));
      return await resolver.addresses(host, family, {
        ...options,
        onAlias(name) {
          refuse(name);
          options?.onAlias?.(name);
        },
      });
    },
  };
}

const normal = (name: string): string => name.toLowerCase().replace(/\.$/, '');
