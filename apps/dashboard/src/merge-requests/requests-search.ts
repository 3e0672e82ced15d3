import { integerIn, oneOf, pageIn, searchOf, stringIn, textIn, tokenIn } from '../kit/address.ts';

export const requestsSearch = searchOf({
  state: oneOf('merged', 'closed', 'queue'),
  /** The branch whose queue is shown. */
  target: tokenIn,
  author: tokenIn,
  reviewer: tokenIn,
  label: textIn,
  page: pageIn,
});

export const newRequestSearch = searchOf({ source: tokenIn, target: tokenIn, to: oneOf('upstream') });

export const requestSearch = searchOf({
  tab: oneOf('changes', 'checks'),
  /** The versions to compare. Without `from`, everything since the merge base; without `to`, the newest. */
  from: integerIn,
  to: integerIn,
  thread: stringIn,
  /** The check whose details are open, and the line of its log. */
  check: stringIn,
  line: integerIn,
});

export const reviewsSearch = searchOf({ part: oneOf('author'), page: pageIn });
