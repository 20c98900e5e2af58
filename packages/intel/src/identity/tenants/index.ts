export { isOfBuilder } from './builders.ts';
export { copiedWallet } from './wallets.ts';
export { TENANT_CAMPAIGNS, tenantCampaignOf, type TenantCampaign } from './campaigns.ts';
export { tenantLures } from './words.ts';
