export { type AltService, type AltSvc, readAltSvc } from './alt-svc.ts';
export { type HttpsRecords, readHttpsRecords, type ServiceBinding } from './https-records.ts';
