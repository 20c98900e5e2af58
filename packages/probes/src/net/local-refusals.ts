/** The errno names by which this machine itself refuses to send or to connect: no packet left, so they say nothing about the target. */
export const LOCAL_REFUSALS: ReadonlySet<string> = new Set([
  'ENETUNREACH', // no route
  'EHOSTUNREACH', // a route that says so
  'ENETDOWN',
  'EADDRNOTAVAIL', // no address of this family, none of this interface any more, or no port left
  'EAFNOSUPPORT',
  'EINVAL', // a blackhole route
  'EACCES', // a route that prohibits it
  'EPERM', // a firewall
]);
