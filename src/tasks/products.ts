import {
  createProduct,
  deleteProduct,
  findProduct,
  listProducts,
  type NewProduct,
  type ProductFacts,
  type ProductTerms,
  productFacts,
  type RotatedKey,
  rotateProductKey,
  unusedProducts,
  updateProduct,
} from '../organization/products/service.ts';
import type { NewSecret } from '../organization/service-accounts/service.ts';
import { operatorAtWork } from './administration.ts';
import type { Task, TaskServices } from './task.ts';

/** A product as commands show it. */
export type ListedProduct = ProductFacts;

export const listProductsTask: Task<Record<never, never>, ListedProduct[]> = {
  name: 'products.list',
  async ofNothing({ fileNames, models, clock }) {
    const { find } = (await models(false)).directory;
    return unusedProducts(fileNames, { find, now: clock.now() });
  },
  async run(services) {
    const { admin, rules } = await namesAtWork(services);
    return productFacts(admin, rules, services.storage.thresholds, await listProducts(admin, rules));
  },
};

export const createProductTask: Task<NewProduct, { product: ListedProduct; made: NewSecret }> = {
  name: 'products.create',
  async run(services, wanted) {
    const { admin, rules } = await namesAtWork(services);
    const { made } = await createProduct(admin, rules, wanted);
    return { product: await factsOf(services, wanted.id), made };
  },
};

export const editProductTask: Task<{ id: string; edit: Partial<ProductTerms> }, ListedProduct> = {
  name: 'products.edit',
  async run(services, { id, edit }) {
    const { admin, rules } = await namesAtWork(services);
    await updateProduct(admin, rules, { id, edit });
    return factsOf(services, id);
  },
};

export const rotateProductTask: Task<{ id: string; keyId: string | undefined; overlapMs: number }, RotatedKey> = {
  name: 'products.rotate',
  async run(services, wanted) {
    const { admin, rules } = await namesAtWork(services);
    return rotateProductKey(admin, rules, wanted);
  },
};

export const deleteProductTask: Task<{ id: string }, null> = {
  name: 'products.delete',
  async run(services, { id }) {
    const { admin, rules } = await namesAtWork(services);
    await deleteProduct(admin, rules, id);
    return null;
  },
};

async function factsOf(services: TaskServices, id: string): Promise<ListedProduct> {
  const { admin, rules } = await namesAtWork(services);
  const known = await findProduct(admin, rules, id);
  const [facts] = await productFacts(admin, rules, services.storage.thresholds, [known]);
  return facts!;
}

/** The operator's services for products, prices and aliases. */
export async function namesAtWork(services: TaskServices) {
  return { admin: await operatorAtWork(services, null), rules: services.nameRules(services.storage) };
}
