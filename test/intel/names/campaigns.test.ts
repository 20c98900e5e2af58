import { describe, expect, it } from 'vitest';
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

describe('names of campaigns', () => {
  it.each([
    ['aktiffkan-paylater.gardenia.my.id', 'words_of_a_campaign', 'loans'],
    ['pendaftar4an-piinjaaman.gardenia.biz.id', 'words_of_a_campaign', 'loans'],
    ['aktivasi-danax.gardenia.web.id', 'words_of_a_campaign', 'loans'],
    ['batalkan-pembayaran.gardenia.my.id', 'words_of_a_campaign', 'loans'],
    ['find-apple-device.com', 'words_of_a_campaign', 'lost device'],
    ['ifind-mydevices.us', 'words_of_a_campaign', 'lost device'],
    ['icloud-localizado.us', 'words_of_a_campaign', 'lost device'],
    ['pagamentopedagiodigital.com', 'words_of_a_campaign', 'toll'],
    ['pedagio-digital.vercel.app', 'words_of_a_campaign', 'toll'],
    ['lp-iniciarseuatendimentohoje.shop', 'words_of_a_campaign', 'service desk'],
    ['program-resmi558.blogspot.com', 'words_of_a_campaign', 'prizes'],
    ['17ae5ea3-1706-511d-a183-20b988b34698-docviewer.garden.workers.dev', 'words_of_a_campaign', 'viewer'],
    ['id-validate-service-d2.cyou', 'words_of_forgers_alone', 'id-validate-service-d2.cyou'],
    ['claims2-esl-org.lat', 'words_of_forgers_alone', 'claims2-esl-org.lat'],
    ['fn-icloud.com', 'words_of_a_campaign', 'lost device'],
    ['konf1rmasi-hadi4h.gardenia.my.id', 'words_of_a_campaign', 'loans'],
    ['danaa-iindonesiaa.gardenia.my.id', 'words_of_a_campaign', 'loans'],
    ['signin.credit-agency-meta.com', 'words_of_offices_that_ask', 'credit-agency-meta.com'],
    ['xffiniittyy.weebly.com', 'slip_and_lure', 'xfinity, xffiniittyy'],
    ['aeitomicwallettt.webflow.io', 'slip_and_lure', 'atomicwallet, aeitomicwallettt'],
    ['8t2bc4f7e5yjjaywialfck5cyfg0e2khcjfb20-cg14v.vercel.app', 'machine_made', '8t2bc4f7e5yjjaywialfck5cyfg0e2khcjfb20-cg14v.vercel.app'],
    ['partner-access.credit-agency-meta.com', 'words_of_offices_that_ask', 'credit-agency-meta.com'],
    ['mottomuskk-loginix.godaddysites.com', 'slip_and_lure', 'metamask, mottomuskk-loginix'],
    ['kuockoinlognco.godaddysites.com', 'slip_and_lure', 'kucoin, kuockoinlognco'],
    ['ledgrr-liive-downld.weebly.com', 'slip_and_lure', 'ledger, ledgrr-liive-downld'],
    ['trazr-io-suiite.pages.dev', 'slip_and_lure', 'trezor, trazr-io-suiite'],
    ['whatscapp.com.cn', 'brand_and_lure', 'whatsapp, whatscapp'],
    ['dmv-ticket-due.shop', 'brand_and_lure', 'dmv, dmv-ticket-due'],
  ])('%s is dangerous by %s', (name, factor, detail) => {
    const { result, factors } = riskOf(name);
    expect(result).toBeGreaterThanOrEqual(50);
    expect(factors).toEqual(expect.arrayContaining([expect.objectContaining({ factor, detail })]));
  });

  it.each([
    // Loans: a village, a school, a starter pack, a lake, and a lender under its own name.
    'pinjaman.my.id',
    'perdana-aktivasi.pulsa.my.id',
    'formulir-ppdb.sdn4.my.id',
    'pembayaran.spp-sekolah.my.id',
    'layanan-desa.cibodas.web.id',
    'klaim.bpjs-info.web.id',
    'refund.tokosepatu.biz.id',
    'danau-toba.wisata.my.id',
    'aktivasi-danax.example.com',
    // Lost devices: a florist, a rental firm, a repair shop, orchards, maps.
    'findmypast-stories.org',
    'locatephone.com',
    'lost-cat-help.org',
    'iphone-werkstatt.de',
    'applesandmaps.com',
    'phone-support.us',
    'cloud-support.help',
    'location-voiture-nice.fr',
    'rastreamento-frotas.shop',
    'unicloud-support.com',
    'icloudy-photo.com',
    // Tolls and desks.
    'rodoviahostel.com',
    'pedagiologica.com',
    'pedagiodigital.com.br',
    'freeflowyoga.com',
    'portaldobrasil.shop',
    'atendimento.shop',
    'consultar-medico.shop',
    // Words of forgers beside others, or under other top-level domains.
    'secure-parking.top',
    'unlock-potential.top',
    'it-support-service.xyz',
    'id-validate-service.com',
    'portal.digital-media-agency.com',
    'shop.meta-media-agency.com',
    'dana-indonesia.gardenia.my.id',
    'help-fraud-bank.top',
    // Senders and services.
    'dmv-furniture.shop',
    'fastrak-racing.shop',
    'whatsapp-crm.cn',
    'telegraph-museum.cn',
    'whatsupbeijing.cn',
  ])('%s is not accused', (name) => {
    expect([name, riskOf(name).result < 25]).toEqual([name, true]);
  });

  it.each([
    'kukulog.github.io',
    'uploadlog.github.io',
    'geminialog.netlify.app',
    'treasurelog.weebly.com',
    'gemini-logan.vercel.app',
    'logistics-kenya.webflow.io',
    'geneologix.webflow.io',
    'monologues.weebly.com',
    'ledgerwood-family.weebly.com',
    'canvas-bridge.vercel.app',
    'bridge-club-kyoto.weebly.com',
    'badger-live.vercel.app',
    'trizar-photo.pages.dev',
    'pusatbuku2.blogspot.com',
    'inforesmi.blogspot.com',
    'layanan-jilbab7.blogspot.com',
    'robin-hood-theatre.weebly.com',
    'phantom-opera.weebly.com',
    'phantomlogistics.webflow.io',
    'bigpond-cafe.weebly.com',
    '4a365e6cb20f4d7d9c1e6a0b7d.pages.dev',
    'k03e2io1v3fx9wvj0vr8qd5q58o56n--5173--local.vercel.app',
  ])('%s is a tenant like others', (name) => {
    expect([name, riskOf(name).result]).toEqual([name, 20]);
  });
});
