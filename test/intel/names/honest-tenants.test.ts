import { expect, it } from 'vitest';
import { domainRisk, hostCategories, judgeHostName, judgeIpv4, shippedNames } from '@vedette/intel/names';

const NAMES = shippedNames();
const riskOf = (host: string) =>
  domainRisk({
    traits: judgeHostName(host, NAMES),
    categories: hostCategories(host, NAMES),
    ipv4: judgeIpv4(['1.1.1.1']),
    hasIpv6: false,
    detections: [],
    age: undefined,
    unheard: 0,
  });

/** Names that the rules for tenants accused, and an expert would not. */
it.each([
  // Servers at home, documentation, and goods that are called like a wallet.
  'smith-auth.duckdns.org',
  'home-sso.duckdns.org',
  'vaultwarden-login.duckdns.org',
  'jones-webmail.duckdns.org',
  'nova-wallet.gitbook.io',
  'sso-guide.gitbook.io',
  'auth-docs.gitbook.io',
  'leather-wallets.weebly.com',
  'handmade-wallets.square.site',
  'school-login.weebly.com',
  'login-animation.webflow.io',
  // Entrances and introductions in Spanish, Italian and Turkish; women of a science, a family, firms.
  'control-de-acceso.weebly.com',
  'acceso-abierto.blogspot.com',
  'libero-accesso.blogspot.com',
  'edebiyata-giris.blogspot.com',
  'giris-sinavi.weebly.com',
  'psychologinberlin.weebly.com',
  'gynaekologinmuenchen.weebly.com',
  'psykologinivardagen.weebly.com',
  'ologundudu.weebly.com',
  'loginnovations.webflow.io',
  'signinc.weebly.com',
  // Programs that prove, send and insure something.
  'parcel-tracking-system.vercel.app',
  'parcel-alerts.netlify.app',
  'email-verification-system.vercel.app',
  'document-verification-portal.netlify.app',
  'claim-verification.vercel.app',
  'payment-verification.vercel.app',
  'news-verification-help.vercel.app',
  'age-verification-notice.netlify.app',
  'toll-payment-system.vercel.app',
  'suspension-support.weebly.com',
  'seguro-multas.blogspot.com',
  'remboursement-assurance.blogspot.com',
  // Alerts by mail, and words with the letters of Outlook or of 365.
  'email-alerts.vercel.app',
  'job-alert-mail.netlify.app',
  'mail-confirmation.vercel.app',
  'email-otp-verification.netlify.app',
  'outlet-alert.vercel.app',
  'outlier-validation.vercel.app',
  'easy-alerts.vercel.app',
  'disease-alert.vercel.app',
  'release-alerts.vercel.app',
  'easyconfirm.weebly.com',
  'ideas-iniciales.blogspot.com',
  'confirmed-outlaws.weebly.com',
  'inicio-correo-escolar.weebly.com',
  // Sites and networks of families and firms that are called like a provider.
  'bells-website.weebly.com',
  'coxwebdesign.weebly.com',
  'shaw-website.weebly.com',
  'juno-network.gitbook.io',
  'spectrum-network.webflow.io',
  'charter-network.weebly.com',
  'bella-web.webflow.io',
  'belle-mail.weebly.com',
  'shawn-mail.weebly.com',
  'bells-mailboxes.square.site',
  'closing-emails.blogspot.com',
  'confirm-email.webflow.io',
  // Parking, guides, dogs, and programs with accounts or against advertising.
  'free-blue-badge-parking.weebly.com',
  'blue-badge-guides-free-tours.weebly.com',
  'blue-badge-2024.weebly.com',
  'free-bluetick-puppies.weebly.com',
  'bluetick-hounds-2024.weebly.com',
  'account-security-dashboard.vercel.app',
  'ad-block-detection.vercel.app',
  'ad-block-check.pages.dev',
  'account-security-log.netlify.app',
  // Protocols and years, a server, and starts with iOS.
  'ipv4-ipv6-test.smith.workers.dev',
  'http-grpc-demo.smith.workers.dev',
  'quiz-2023-2024.kim.workers.dev',
  'secure-server--john.replit.app',
  'getting-started-iot.gitbook.io',
  'start-ios-app.webflow.io',
  'startio-guide.gitbook.io',
  'dot-com-start.weebly.com',
  'edge-com-studio.webflow.io',
  // Indonesian pupils, teachers and owners of telephones.
  'aktivasi-akun-belajar.blogspot.com',
  'aktivasi-kartu-perdana.blogspot.com',
  'aktivasi-mobile-banking.blogspot.com',
  'pemulihan-dana-desa.blogspot.com',
  'pembatalan-kartu-keluarga.blogspot.com',
  'cara-aktivasi-paylater.blogspot.com',
  // Villages and colleges, fairs, the alphabet.
  'palladiovillage.weebly.com',
  'armadillovillage.weebly.com',
  'palladiumhotelgroup.webflow.io',
  'ramadalagos.weebly.com',
  'tulsa-biz-expo-2024.webflow.io',
  'joes-auto-biz-30301.weebly.com',
  'abcdefghijklmnopqrstuvwxyz.vercel.app',
  'qwertyuiopasdfghjklzxcvbnm.netlify.app',
  'coinbaseball-cards.org',
  // Trades and exercises beside a brand.
  'facebook-marketing-kurs.weebly.com',
  'office365-schulung.weebly.com',
  'outlook-tipps.weebly.com',
  'docusign-alternative.webflow.io',
  'wordpress-themes.weebly.com',
  'netflix-fans.weebly.com',
  'netflix-recommender.vercel.app',
  'walmart-sales-prediction.netlify.app',
  // Carriers and learners.
  'dpd.sendify.cloud',
  'nydmv-practice-test.help',
  'txdmv-appointments.life',
  'fastrak-fr.shop',
  'pcn-ie.life',
])('%s is not accused', (name) => {
  expect([name, riskOf(name).result < 35]).toEqual([name, true]);
});

it.each([
  // A mistaken reading of figures let these go.
  ['365verifica.fwh.is', 55],
  ['verificarcuenta365.vercel.app', 55],
  ['ledgrcom-start.webflow.io', 55],
  // The narrower rules still find these.
  ['emailterminationlooo.weebly.com', 55],
  ['shawmailboxservice4.wixsite.com', 55],
  ['account-trust-center.pages.dev', 55],
  ['verify-badge-vip32.pages.dev', 55],
  ['business-blue-tick-confirmed-000352026.pages.dev', 55],
  ['trezor-io-start-goup.webflow.io', 55],
  ['secure-page-builder--gardener.replit.app', 55],
  ['lgdxt-kbmb-m5yy.garden.workers.dev', 55],
  ['aktivasi-bimaa.vercel.app', 55],
  ['verified-support-team346523.pages.dev', 52],
  ['wallet-synchronize.square.site', 52],
  ['facebook-kurs-support.weebly.com', 55],
  ['metamask-tips.vercel.app', 32],
])('%s is at %d', (name, risk) => {
  expect(riskOf(name).result).toBe(risk);
});
