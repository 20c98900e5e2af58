import { wordList } from '../names/index.ts';

/** Firms, clubs and providers that lists of disposable domains have all the same. */
export const MISTAKEN_FOR_DISPOSABLE = wordList(`
51.com 99.com 363.net acne.com angi.com aver.com blogos.com bluebottle.com cdc.com gaggle.net hidemyass.com in-ulm.de latinmail.com
mail2world.com movemail.com pop.com sdf.org test.de theporndude.com
`);

/**
 * Dynamic DNS and free hosting, beyond the Public Suffix List: anyone can have a host below, and is not responsible for the others.
 */
export const NAMES_FOR_EVERYBODY = wordList(`
4pu.com biz.st biz.tm chickenkiller.com crabdance.com dynamic-dns.net epizy.com esy.es ezyro.com fr.nf ftp.sh heliohost.org hol.es
home.kg ignorelist.com info.tm jumpingcrab.com justdied.com kro.kr linkpc.net longmusic.com mefound.com mooo.com myz.info ns01.biz
o-r.kr ocry.com onedumb.com otzo.com pe.hu publicvm.com qpoe.com rf.gd rr.nu run.place soon.it strangled.net twilightparadox.com uk.to
unaux.com undo.it us.to uu.gl work.gd x24hr.com ydns.eu youdontcare.com ze.cx zyns.com zzux.com
`);
