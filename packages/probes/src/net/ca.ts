const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** The certificates of a PEM file, one string each. Throws for an empty list: an empty trust store would fail every target. */
export function readCa(pem: string): string[] {
  const certificates = pem.match(CERTIFICATE);
  if (!certificates) throw new Error('no certificate in the CA file');
  return certificates;
}
