export { reviewRoutes } from './review.routes.ts';
export { holdingReviews, newestPatchId } from './reviews.service.ts';
