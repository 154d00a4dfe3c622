/** The prices that were set for a model, and what came after one, are found without reading all: there may be thousands, with those that are over. */
export const pricesByModel = `
  create index prices_by_model
    on settings (organization_id, json_extract(value, '$.model'), json_extract(value, '$.from'), id)
    where kind = 'price_override';
`;
