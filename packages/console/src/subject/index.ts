export {
  type Indicator,
  indicatorOf,
  indicatorsIn,
  type IndicatorKind,
  mentionsIn,
  type Piece,
  piecesOf,
  subjectOf,
} from './indicators.ts';
export { type Offer, offersOf, takesEither } from './offers.ts';
export { KIND_WORDS, type Subject, type SubjectKind, understand } from './understand.ts';
