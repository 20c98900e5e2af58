/** How a language speaks of cookies, and what stands on the buttons that answer. All are parts of regular expressions, without regard to case. */
interface Words {
  /** Words for a page's use of cookies: a sentence with one of each, in this order, is about consent. */
  uses: string;
  cookies: string;
  /** The other order does so too. */
  verbLast?: true;
  /** Speaks of consents by itself. */
  about?: string;
  /** How labels of buttons begin. */
  accept: string;
  refuse: string;
}

const WORDS: Readonly<Record<string, Words>> = {
  en: {
    uses: '\\b(we( and our [^.]{0,40})? use|uses?|using|store (and|or|information|data))\\b',
    cookies: '\\b(cookies?|trackers|similar technolog)',
    about:
      '\\bcookies?[ -]?(policy|consent|settings|notice|preferences)|(value|respect|care about) your privacy|your privacy (choices|matters)',
    accept: 'accept|agree|allow|got it|ok(ay)?\\b|i understand|continue|close|dismiss',
    refuse: 'reject|decline|refuse|deny|disagree|only (necessary|essential)|(necessary|essential) only|use necessary|essential',
  },
  de: {
    uses: '\\b(verwende[nt]|nutze[nt]|setz(en|t))\\b',
    cookies: '\\bcookies?',
    verbLast: true,
    about: '\\bcookie[ -]?(richtlinie|einstellungen|hinweis)|ihre privatsphäre|datenschutzeinstellungen',
    accept: '(alle )?akzeptieren|zustimmen|einverstanden|verstanden|speichern|annehmen',
    refuse: '(alle )?ablehnen|nur (notwendige|erforderliche|essenzielle)',
  },
  fr: {
    uses: '\\butilis(e|ons|ent)\\b',
    cookies: '\\b(cookies?|traceurs)',
    about: 'votre vie privée|gestion des cookies',
    accept: '(tout )?accepter|j.accepte|d.accord',
    refuse: '(tout )?refuser|continuer sans',
  },
  es: {
    uses: '\\b(utiliza(mos)?|usamos|usa)\\b',
    cookies: '\\bcookies?',
    about: 'su privacidad',
    accept: 'aceptar|acepto|entendido',
    refuse: 'rechazar',
  },
  pt: {
    uses: '\\b(usa(mos)?|utiliza(mos)?)\\b',
    cookies: '\\bcookies?',
    about: 'política de cookies|sua privacidade',
    accept: 'aceitar|aceito|concord(o|ar)|permitir|entendi',
    refuse: 'rejeitar|recusar|(apenas|somente|só) (os )?(cookies )?(necessári|essencia)',
  },
  it: {
    uses: '\\b(utilizziamo|utilizza|usa|usiamo)\\b',
    cookies: '\\bcookie',
    about: 'la tua privacy',
    accept: 'accett[ao]|ho capito|acconsento',
    refuse: 'rifiuta|solo (i )?necessari',
  },
  nl: {
    uses: '\\bgebruik(en|t)\\b',
    cookies: '\\bcookies?',
    about: '\\bcookie[ -]?(beleid|instellingen)',
    accept: '(alles )?accepteren|akkoord',
    refuse: '(alles )?weigeren|alleen noodzakelijke',
  },
  sv: {
    uses: '\\b(används?|använder)(?!\\p{L})',
    cookies: '\\b(cookies?|kakor)',
    accept: 'acceptera|godkänn|jag förstår',
    refuse: 'avvisa|neka|endast nödvändiga',
  },
  da: { uses: '\\b(bruger|anvender)\\b', cookies: '\\bcookies?', accept: 'accepter|tillad|godkend', refuse: 'afvis|kun nødvendige' },
  no: {
    uses: '\\bbruker\\b',
    cookies: '\\b(cookies?|informasjonskapsler)',
    accept: 'godta|aksepter|tillat',
    refuse: 'avvis|avslå|kun nødvendige',
  },
  fi: {
    uses: 'käyt(ämme|tää|etään)',
    cookies: 'eväste|cookie',
    accept: 'hyväksy|salli|selvä',
    refuse: 'hylkää|kiellä|vain välttämättömät',
  },
  pl: {
    uses: 'używa|wykorzystuje|stosuje',
    cookies: 'cookie|ciastecz',
    accept: 'akceptuj|zgadzam|zezwól|rozumiem',
    refuse: 'odrzuć|odmów|tylko niezbędne',
  },
  cs: {
    uses: '(po|vy)užív[áa]|používa',
    cookies: 'cookie',
    accept: 'přijmout|souhlasím|povolit|rozumím',
    refuse: 'odmítnout|(pouze|jen) nezbytné',
  },
  sk: { uses: '(po|vy)užíva', cookies: 'cookie', accept: 'prijať|súhlasím|povoliť|rozumiem', refuse: 'odmietnuť|(iba|len) nevyhnutné' },
  hu: {
    uses: 'használ',
    cookies: 'süti|cookie',
    verbLast: true,
    accept: 'elfogad|engedélyez|rendben|értem',
    refuse: 'elutasít|csak a szükséges',
  },
  ro: {
    uses: 'folos(im|e[sș]te)|utiliz(ăm|ează|eaza)',
    cookies: 'cookie',
    accept: 'accept|sunt de acord|de acord|am înțeles',
    refuse: 'refuz|respinge|doar (cele )?necesare',
  },
  tr: {
    uses: 'kullan',
    cookies: 'çerez|cookie',
    verbLast: true,
    accept: '(tümünü |hepsini )?kabul|onayl|izin ver|anladım|tamam',
    refuse: '(tümünü |hepsini )?reddet|(yalnızca|sadece) (gerekli|zorunlu)',
  },
  el: {
    uses: 'χρησιμοποι',
    cookies: 'cookie',
    accept: 'αποδοχή|αποδέχομαι|συμφωνώ|κατάλαβα',
    refuse: 'απόρριψη|απορρίπτω|μόνο (τα )?απαραίτητα',
  },
  ru: {
    uses: 'использу|применя',
    cookies: 'cookie|куки',
    accept: 'прин(ять|имаю|имать)|согла(сен|шаюсь|ситься)|разрешить|хорошо|понятно',
    refuse: 'откл[оа]н|отказаться|только (необходимые|обязательные)',
  },
  uk: {
    uses: 'використову',
    cookies: 'cookie|кук[иі]',
    accept: 'прийня|погоджуюс|згод|дозволити|зрозуміло',
    refuse: 'відхилити|відмовити|(лише|тільки) (необхідні|обов)',
  },
  ja: {
    uses: '使用|利用|用い|を',
    cookies: 'クッキー|cookie',
    verbLast: true,
    accept: '(すべて)?(同意|許可|承諾|受け入れ)',
    refuse: '(すべて)?拒否|必要な',
  },
  ko: {
    uses: '사용|이용|수집',
    cookies: '쿠키|cookie',
    verbLast: true,
    accept: '(모두 )?(동의|수락|허용)|확인',
    refuse: '(모두 )?(거부|거절)|필수',
  },
  zh: {
    uses: '使用|采用|採用|利用',
    cookies: 'cookie|曲奇',
    verbLast: true,
    accept: '(全部)?(接受|同意)|允许|允許|我?知道了|好的',
    refuse: '(全部)?(拒绝|拒絕)|(仅|僅|只)',
  },
  ar: {
    uses: 'نستخدم|يستخدم|تستخدم|استخدام',
    cookies: 'ملفات تعريف الارتباط|كوكيز|cookie',
    accept: 'قبول|أقبل|أوافق|موافق|السماح|فهمت',
    refuse: 'رفض|الضرورية',
  },
  he: {
    uses: 'משתמש|שימוש',
    cookies: 'עוגיות|קוקיז|cookie',
    accept: 'אישור|אני מסכימ?|מסכים|קבל|אשר|הבנתי',
    refuse: 'דח[הי]|סירוב|רק (ה?הכרחי|ה?חיוני)',
  },
};

const all = Object.values(WORDS);
const either = (parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined).join('|');
/** A sentence goes no further. */
const BETWEEN = '[^.!?。！？]{0,80}';
const begin = (parts: readonly string[]): string => `^[^\\p{L}\\p{N}]*(${either(parts)})`;

/** Sources of regular expressions with the flags `iu`. */
export const CONSENT = {
  about: either(
    all.flatMap(({ uses, cookies, verbLast, about }) => [
      `(${uses})${BETWEEN}(${cookies})`,
      verbLast && `(${cookies})${BETWEEN}(${uses})`,
      about,
    ]),
  ),
  answer: begin(all.flatMap(({ accept, refuse }) => [accept, refuse])),
  refuse: begin(all.map(({ refuse }) => refuse)),
};
