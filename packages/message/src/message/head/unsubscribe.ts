import { Phrases } from '../words/phrases.ts';
import { wordsOf } from '../words/words.ts';

/** How links that end a subscription are called. */
const WORDING = new Phrases(`
unsubscribe|unsubscribing|unsubscription
opt out
optout
stop receiving
stop getting * emails|mails|messages
no longer wish|want|receive
remove me
abmelden|abbestellen|abmeldung|austragen|abmeldelink
newsletter kundigen
desabonner|desinscrire|desinscription|desabonnement
se desinscrire
plus recevoir
darse|date|darme de baja
cancelar * suscripcion|inscricao|assinatura|subscricao
desuscribirse|desuscribir|desuscribete|desinscribirse
anular * suscripcion
disiscriviti|disiscriversi|disiscrizione|cancellati|cancellarsi
annulla * iscrizione
cancella * iscrizione
descadastrar|descadastre|desinscrever|desinscreva
sair da lista
nao receber
afmelden|uitschrijven|afmeldlink
`);
/** How their URLs say it, whatever their text is. */
const IN_URL = /unsub(?:scribe)?|opt-?out|list-?remove|abmeld|abbestell|desabonn|desinscri|desuscri|disiscri|descadastr|afmeld|uitschrijv/i;
/** URLs that open a page or a new message. */
const LEADS = /^\s*(?:https?:|mailto:)/i;
const URL_IN_TEXT = /https?:\/\/\S{1,2000}|mailto:\S{1,500}/i;

/** A link of HTML. */
export interface Link {
  text: string;
  href: string;
}

/** Whether any link is called so, or leads to such a page. */
export const linkUnsubscribes = ({ text, href }: Link): boolean => LEADS.test(href) && (IN_URL.test(href) || WORDING.in(wordsOf(text)));

/** Whether a plain text has such a link: a URL that says so, or one on the line of such words, or on the next that is not empty. */
export function textUnsubscribes(text: string): boolean {
  let announced = false;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const url = URL_IN_TEXT.exec(line)?.[0];
    const says = WORDING.in(wordsOf(line));
    if (url !== undefined && (IN_URL.test(url) || says || announced)) return true;
    announced = says;
  }
  return false;
}
