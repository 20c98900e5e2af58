import { domainRisk, hostCategories, judgeHostName, judgeIpv4, shippedNames } from '@vedette/intel/names';

const NAMES = shippedNames();

/** The risk of a host by its name alone: nothing lists it, its address is ordinary, and its age is not known. */
export const riskOf = (host: string) =>
  domainRisk({
    traits: judgeHostName(host, NAMES),
    categories: hostCategories(host, NAMES),
    ipv4: judgeIpv4(['1.1.1.1']),
    hasIpv6: false,
    detections: [],
    age: undefined,
    unheard: 0,
  });
