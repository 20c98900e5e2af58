import { readPhoneNumber } from '@vedette/intel/phone';
import { expect, it } from 'vitest';

/** A number kept for fiction, its country, and one beside it that is not. */
const PAIRS: [fictional: string, country: string, real: string][] = [
  ['+12025550100', 'US', '+12025550200'],
  ['+14165550199', 'CA', '+14165551212'],
  ['+18005550199', 'US', '+18005550198'],
  ['+442079460000', 'GB', '+442079470000'],
  ['+441134960999', 'GB', '+441134970999'],
  ['+441514960000', 'GB', '+441514950000'],
  ['+441914980123', 'GB', '+441914990123'],
  ['+441632960123', 'GB', '+441632970123'],
  ['+447700900123', 'GB', '+447700901123'],
  ['+448081570999', 'GB', '+448081571999'],
  ['+449098790000', 'GB', '+449098780000'],
  ['+443069990000', 'GB', '+443069980000'],
  ['+442896496000', 'GB', '+442896506000'],
  ['+442920180000', 'GB', '+442920190000'],
  ['+61255501234', 'AU', '+61255511234'],
  ['+61870101234', 'AU', '+61870111234'],
  ['+61491570006', 'AU', '+61491570007'],
  ['+611800160401', 'AU', '+611800160402'],
  ['+33199001234', 'FR', '+33199011234'],
  ['+33639981234', 'FR', '+33639971234'],
  ['+493023125123', 'DE', '+493023126123'],
  ['+491713920012', 'DE', '+491713920112'],
  ['+46846500400', 'SE', '+46846500500'],
  ['+46701740605', 'SE', '+46701740604'],
];

it.each(PAIRS)('%s of %s is kept for fiction, and %s is not', async (fictional, country, real) => {
  expect(await readPhoneNumber(fictional)).toMatchObject({ fictional: true, countryCode: country });
  expect(await readPhoneNumber(real)).toMatchObject({ fictional: false });
});
