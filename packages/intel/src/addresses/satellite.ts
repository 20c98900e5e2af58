/**
 * Autonomous systems whose subscribers are behind a satellite, by operator (names as registered; checked against the embedded table). Not those of
 * broadcasters, of teleports that carry others' traffic, and of cable companies that are only called so.
 */
const OPERATORS: Readonly<Record<string, readonly number[]>> = {
  Starlink: [14593],
  Viasat: [7155, 16491, 40306, 40310, 40311],
  Hughes: [1358, 6621, 12440, 28613, 63062, 265705],
  'Eutelsat Konnect': [15829, 29286, 34444, 201935, 204276],
  OneWeb: [800],
  'SES and O3b': [12684, 60725],
  Inmarsat: [25222, 31515, 31753],
  Intelsat: [22351, 26243, 46982],
  Iridium: [22184, 206171],
  Globalstar: [19458],
  Telesat: [16212, 19036],
  Avanti: [39356, 328306],
  Kacific: [135409],
  Gilat: [12491, 56804],
  Marlink: [5377, 8264, 8841, 24039, 44933, 55784, 209980, 210314],
  Speedcast: [4913, 5666, 32034, 38456],
  KVH: [25687],
};

const SATELLITE: ReadonlySet<number> = new Set(Object.values(OPERATORS).flat());

export const isSatelliteAs = (asn: number): boolean => SATELLITE.has(asn);
