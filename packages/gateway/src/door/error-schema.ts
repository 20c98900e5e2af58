import { API_ERRORS, type ApiErrorCode } from '@vedette/contract';
import { Type } from 'typebox';

/** The body of every answer that is not a 200. */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Error message for people' }),
    code: Type.Unsafe<ApiErrorCode>({
      title: 'ErrorCode',
      type: 'string',
      enum: Object.keys(API_ERRORS),
      description: 'Stable error code for programs; codes are never reused',
    }),
    param: Type.Optional(Type.String({ description: 'Name of the invalid parameter, such as `host` or `locations[1]`' })),
  },
  { title: 'Error' },
);
