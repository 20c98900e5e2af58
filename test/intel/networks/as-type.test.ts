import { describe, expect, it } from 'vitest';
import { asTypeOf } from '../../../packages/intel/src/networks/as-type.ts';

const typeOf = (org: string, category = '', asn = 64_496) => asTypeOf({ asn, org, category });

describe('the kind of an autonomous system', () => {
  it.each([
    ['isp', 'isp'],
    ['hosting', 'hosting'],
    ['business', 'business'],
    ['education_research', 'education'],
    ['government_admin', 'government'],
    ['constructor', 'business'],
  ])('is what the dataset calls %s', (category, type) => expect(typeOf('Example', category)).toBe(type));

  it('is no bank where the dataset says carrier, school or authority', () => {
    for (const category of ['isp', 'hosting', 'education_research', 'government_admin'])
      expect(typeOf('Example Bank', category)).not.toBe('banking');
  });

  it.each([
    'Deutsche Bank AG',
    'Bank of America, National Association',
    'Sberbank of Russia PJSC',
    'Zürcher Kantonalbank',
    'Banco Santander (Brasil) S.A.',
    'BANCO UNION S.A.',
    'Banca Intesa AD Beograd',
    'Banque de France',
    'Komercni banka, a.s.',
    'Turk Ekonomi Bankasi Anonim Sirketi',
    'Navy Federal Credit Union',
    'Hawaii Federal Credit Union',
    'U.S. BANCORP',
    'JPMorgan Chase & Co.',
    'Wells Fargo & Company',
    'Libra Internet Bank S.A.',
    'First Internet Bank of Indiana',
  ])('is banking for %s', (org) => expect([typeOf(org), typeOf(org, 'business')]).toEqual(['banking', 'banking']));

  it.each([
    ['SoftBank Corp.', 'isp', 'isp'],
    ['SoftBank Corp.', '', 'business'],
    ['DataBank Holdings, Ltd.', '', 'business'],
    ['Data Bank Group UAB', '', 'business'],
    ['Gigabitbank Global', '', 'business'],
    ['World Knowledge Bank LLC', '', 'business'],
    ['Greater Chicago Food Bank', '', 'business'],
    ['Burbank Water and Power', '', 'business'],
    ['Fairbanks Gold Mining', '', 'business'],
    ['City of Burbank', '', 'government'],
    ['Universitas STIKUBANK', '', 'education'],
    ['Insurance company Sberbank Insurance, LLC', '', 'business'],
    ['JSC Kazteleport - subsidiary of Halyk Bank of Kazakhstan', '', 'business'],
    ['Bankai Group', '', 'business'],
    ['Embankment Consulting', '', 'business'],
    ['Bancroft Systems', '', 'business'],
    ['Wells Fargotten Ltd', '', 'business'],
  ])('is no bank for %s', (org, category, type) => expect(typeOf(org, category)).toBe(type));

  it.each([
    ['Amazon.com, Inc.', 16_509, 'hosting'],
    ['Hetzner Online GmbH', 24_940, 'hosting'],
    ['Free SAS', 12_322, 'isp'],
    ['Virgin Media Limited', 5089, 'isp'],
    ['Reliance Jio Infocomm Limited', 55_836, 'isp'],
    ['Space Exploration Technologies Corporation', 14_593, 'isp'],
    ['SoftBank Corp.', 17_676, 'isp'],
    ['SAKURA Internet Inc.', 9371, 'hosting'], // its name says the contrary
    ['velia.net Internetdienste GmbH', 29_066, 'hosting'],
    ['Liquid Web, L.L.C', 32_244, 'hosting'],
    ['Jisc Services Limited', 786, 'education'],
    ['SWITCH', 559, 'education'],
    ['Headquarters, USAISC', 1540, 'government'],
    ['Google LLC', 15_169, 'business'],
    ['NTT America, Inc.', 2914, 'business'],
    ['University of Cambridge', 64_496, 'education'],
    ['Technische Hochschule Mittelhessen', 64_496, 'education'],
    ['Universe Trading Ltd', 64_496, 'business'],
    ['Ministry of Foreign Affairs', 64_496, 'government'],
    ['DoD Network Information Center', 64_496, 'government'],
    ['Ministry Software GmbH', 64_496, 'government'], // a miss that is known: the word stands alone
    ['Example Hosting GmbH', 64_496, 'hosting'],
    ['Example Data Center Ltd', 64_496, 'hosting'],
    ['Cloudberry Farms', 64_496, 'business'],
    ['Deutsche Telekom AG', 64_496, 'isp'],
    ['China Telecom', 64_496, 'isp'],
    ['Netflix Streaming Services Inc.', 64_496, 'business'],
    ['Example Networking Equipment', 64_496, 'business'],
    ['', 64_496, 'business'],
  ])('of %s (AS%i) without a dataset goes by number and name', (org, asn, type) => expect(typeOf(org, '', asn)).toBe(type));
});
