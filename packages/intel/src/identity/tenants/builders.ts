/** Builders of sites, whose tenants have pages and no programs: a log-in there is another firm's. */
const OF_BUILDERS =
  /(?:^|\.)(?:weebly\.com|weeblysite\.com|webflow\.io|godaddysites\.com|typedream\.app|gitbook\.io|framer\.(?:app|ai|website|media)|zapier\.app|square\.site|wixsite\.com|wixstudio\.com|blogspot\.[a-z.]+|tem3\.io|webcindario\.com)$/;
/** Whether a tenant of this host has only pages. */
export const isOfBuilder = (host: string): boolean => OF_BUILDERS.test(host);
