import { wordList } from '../names/index.ts';

/** Offices and roles in user names. */
export const OFFICES = wordList(
  'admin care center centre customer customercare desk help helpdesk info noreply office official service services support team',
);

/** Top-level domains that abuse reports name far more often than their size explains. */
export const RISKY_TLDS = wordList(`
accountant accountants autos bar bid bond boats buzz cam casa center cf cfd christmas click club country cricket cyou date degree
download faith fit fun ga gdn gq hair haus homes icu kim lat link live loan lol makeup men ml mom monster motorcycles mov okinawa
online party pics pictures pw quest racing ren rest review sbs science shop site skin space stream su support surf tattoo tk tokyo top
trade uno vip wang webcam website win work world xin xyz yachts zip
`);

/** Police by name: English, German, French, Spanish, Italian, Dutch, Polish, Nordic. */
export const POLICE_NAME =
  /(?:^|[.-])(?:police|polizei|policia|polizia|politie|policja|politi|polisen|poliisi|gendarmerie|carabinieri|guardiacivil|lapd|nypd|sheriff|europol|interpol)(?:[.-]|$)/;
