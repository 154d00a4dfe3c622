/**
 * The address of Azure's v1 API, from whatever an operator has at hand: a resource's name (`AZURE_RESOURCE_NAME`), its
 * endpoint (`AZURE_OPENAI_ENDPOINT`), or the whole address. The v1 API takes the deployment's name as `model` and needs
 * no `api-version`: https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle
 */
export function azureBaseUrl(given: string): string {
  const address = given.replace(/\/+$/, '');
  if (!address.includes('://')) return `https://${address}.openai.azure.com/openai/v1`;
  const { pathname } = new URL(address);
  if (pathname === '/') return `${address}/openai/v1`;
  return pathname === '/openai' ? `${address}/v1` : address;
}
