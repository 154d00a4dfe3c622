import { OUTPUT_LIMIT_PLACES, type ParameterPlaces } from '../parameter-places.ts';

const THINKING = ['reasoning.effort', 'reasoning.max_tokens'];

/** This dialect has no words for `top_k`, `seed` and `stop`. */
export const PARAMETER_PLACES: ParameterPlaces = {
  of: {
    max_output_tokens: OUTPUT_LIMIT_PLACES,
    temperature: ['temperature'],
    top_p: ['top_p'],
    top_k: ['top_k'],
    frequency_penalty: ['frequency_penalty'],
    presence_penalty: ['presence_penalty'],
    seed: ['seed'],
    stop: ['stop'],
    reasoning_effort: THINKING,
    thinking_budget: THINKING,
    verbosity: ['text.verbosity'],
    service_tier: ['service_tier'],
  },
  besideThinking: [],
};
