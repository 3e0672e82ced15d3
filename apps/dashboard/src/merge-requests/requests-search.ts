import { integerIn, oneOf, pageIn, searchOf, stringIn, textIn, tokenIn } from '../kit/address.ts';

export const requestsSearch = searchOf({
  state: oneOf('merged', 'closed'),
  author: tokenIn,
  reviewer: tokenIn,
  label: textIn,
  page: pageIn,
});

export const newRequestSearch = searchOf({ source: tokenIn, target: tokenIn });

export const requestSearch = searchOf({
  tab: oneOf('changes'),
  /** The versions to compare. Without `from`, everything since the merge base; without `to`, the newest. */
  from: integerIn,
  to: integerIn,
  thread: stringIn,
});

export const reviewsSearch = searchOf({ part: oneOf('author'), page: pageIn });
