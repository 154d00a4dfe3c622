/**
 * What is due is looked for by endpoint, so that what one has waiting costs the others nothing; and what is over by its age.
 */
export const webhooksByEndpoint = `
  drop index webhook_deliveries_due;
  create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at) where next_at is not null;
  create index webhook_deliveries_over on webhook_deliveries (created_at) where next_at is null;
`;
