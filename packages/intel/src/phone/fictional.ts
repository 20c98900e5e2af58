/** Numbers that a numbering authority reserves for films and books: they have no subscribers. National numbers, by calling code. */
interface Reserved {
  callingCode: string;
  country: string;
  pattern: RegExp;
}

const RESERVED: readonly Reserved[] = [
  // NANPA: the line numbers 0100 to 0199 of 555 in every area; of the free ones 800-555-0199 alone.
  { callingCode: '1', country: '', pattern: /^(?:(?!8(?:00|22|33|44|55|66|77|88))[2-9]\d\d55501\d\d|8005550199)$/ },
  // Ofcom, "Telephone numbers for use in TV and radio drama programmes": cities, no city, mobile, free, premium, UK-wide.
  {
    callingCode: '44',
    country: 'GB',
    pattern:
      /^(?:11[3-8]4960\d{3}|1[2-6]14960\d{3}|2079460\d{3}|1914980\d{3}|2896496\d{3}|2920180\d{3}|1632960\d{3}|7700900\d{3}|8081570\d{3}|9098790\d{3}|3069990\d{3})$/,
  },
  // ACMA, "Phone numbers for use in TV shows, films and creative works".
  {
    callingCode: '61',
    country: 'AU',
    pattern:
      /^(?:[2378](?:5550|7010)\d{4}|49157(?:0(?:006|110|15[6-9]|313|737)|1(?:266|491|804)|2(?:549|665|983)|3(?:087|770)|4(?:118|632)|5(?:254|789)|6(?:398|801)|7(?:426|644)|8(?:148|888|957)|9(?:212|455|760))|1800(?:160401|975(?:70[7-9]|71[01]))|1300975(?:70[7-9]|71[01]))$/,
  },
  // ARCEP, plan de numérotation §2.5.12: numbers for audiovisual works.
  { callingCode: '33', country: 'FR', pattern: /^(?:19900|26191|35301|46571|53649|63998)\d{4}$/ },
  // Bundesnetzagentur, "Rufnummern für Filme und Medienproduktionen".
  {
    callingCode: '49',
    country: 'DE',
    pattern: /^(?:3023125\d{3}|6990009\d{3}|4066969\d{3}|2214710\d{3}|8999998\d{3}|17139200\d\d|176040690\d\d)$/,
  },
  // PTS, numbers for use in drama.
  {
    callingCode: '46',
    country: 'SE',
    pattern: /^(?:3139006\d\d|4062804\d\d|8465004\d\d|9803192\d\d|7017406(?:0[5-9]|[1-9]\d))$/,
  },
];

/** Whether the number is kept for fiction, and of which country it is, which is empty where several share the code; undefined where it is not. */
export function fictionalCountry(callingCode: string, national: string): string | undefined {
  return RESERVED.find((reserved) => reserved.callingCode === callingCode && reserved.pattern.test(national))?.country;
}
