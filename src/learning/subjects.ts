/** Only the first letters of words are compared, so that `contract`, `contracts` and `contractual` match. */
export const STEM = 6;

/**
 * Words that tell what a text is about. A label teaches something of a whole subject this way, where words alone would
 * need to be seen one by one.
 */
export const SUBJECTS: Readonly<Record<string, string>> = {
  law: `plaintiff defendant court statute jury tort negligence contract liability criminal murder larceny burglary robbery
    felony homicide trial appeal judge attorney lawyer lawsuit sued evidence hearsay testimony witness admissible objection
    constitutional amendment jurisdiction legislature convict deed easement landlord tenant lease mortgage conveyed covenant
    devise will heirs estate arrest police warrant indicted prosecution assault battery trespass nuisance manslaughter breach
    damages buyer seller owner property grantee grantor`,
  jurisprudence: `treaty treaties sovereign sovereignty international tribunal icj unclos convention humanitarian genocide
    customary jus positivism rawls hart dworkin austin kelsen jurisprudence legal rights obligation`,
  ethics: `moral morally morality ethical ethics virtue utilitarian kant kantian aristotle deontology autonomy justice
    euthanasia abortion cloning animals permissible obligation intrinsic hedonism pleasure happiness duty wrong right good evil`,
  philosophy: `philosophy philosopher plato socrates hume descartes epistemology metaphysics argument premise fallacy skeptic
    realism knowledge belief soul reason stoic epicurus singer nagel mill parfit butler cicero`,
  religion: `religion religious god gods buddha buddhism buddhist hindu hinduism islam muslim jewish judaism christian
    christianity church sikh guru jain tao confucius temple prophet quran bible torah sacred ritual shinto`,
  history: `century empire war revolution king queen emperor dynasty colonial colonies treaty slavery slaves soviet nazi
    ottoman roman rome greece medieval renaissance feudal peasants conquest parliament passage excerpt historian napoleon
    industrial reform rebellion monarchy nationalism imperialism`,
  prehistory: `archaeologist archaeological neolithic paleolithic homo sapiens erectus neanderthal fossil hominid maya inca
    aztec mesoamerica pyramid domestication bp artifacts settlement excavation stone pottery agriculture`,
  politics: `government congress president senate political politics policy vote voters election party democrat republican
    federal bureaucracy supreme lobbying campaign foreign security nato military nuclear terrorism diplomacy alliance
    deterrence state states nations hegemony democracy`,
  geography: `country countries population migration urban rural region regions land climate border fertility density city
    cities map agriculture hearth diffusion culture demographic`,
  sociology: `social society sociology class gender inequality norms institution bureaucracy weber durkheim marx capitalism
    race ethnic stratification deviance sociologist labelling family working feminist`,
  psychology: `psychology psychologist behavior cognitive memory conditioning freud piaget erikson therapy therapist
    personality anxiety depression disorder stimulus reinforcement perception motivation intelligence attachment child
    children adolescent counseling client schizophrenia emotion learning sleep consciousness`,
  sexuality: `sexual sex sexuality homosexual heterosexual orgasm erection contraceptive contraception masturbation couples
    marriage pregnancy menstrual vagina penis std`,
  aging: `older elderly aging age ageing retirement widow alzheimer dementia caregiver lifespan longevity`,
  medicine: `patient physician hospital diagnosis symptoms treatment examination blood pressure clinical therapy disease
    syndrome pain fever infection surgery mg dose nurse cancer tumor cardiac pulmonary renal kidney liver heart lung
    medication chronic acute ct biopsy serum woman man emergency department vital signs history admitted presents`,
  anatomy: `nerve artery vein muscle bone cranial spinal cord ligament tendon joint skull vertebra facial tooth teeth mandible
    tongue pharynx larynx thorax abdomen pelvis femur hormone gland`,
  virology: `virus viral viruses vaccine hiv aids hepatitis influenza herpes epidemic outbreak pandemic antiviral rna strain
    infection measles polio ebola papilloma parvovirus`,
  nutrition: `diet dietary vitamin protein fat fats fatty carbohydrate energy calories obesity weight intake nutrient nutrition
    food foods cholesterol fibre fiber iron calcium folate zinc glucose lipid breast milk`,
  biology: `cell cells gene genes dna rna protein enzyme species evolution organism chromosome mutation allele membrane
    mitosis meiosis photosynthesis bacteria plant plants animal ecosystem population phenotype genotype dominant recessive
    inheritance natural selection mitochondria ribosome genetic`,
  chemistry: `acid base reaction molecule electron bond ion ions solution molar mole oxidation reduction compound element
    atom isotope spectrum nmr equilibrium ph buffer catalyst hydrogen oxygen carbon sodium chloride enthalpy titration ml
    polymer orbital spin ionization`,
  physics: `force velocity acceleration mass momentum energy kinetic potential gravity friction speed motion light wave
    frequency wavelength photon particle quantum temperature heat gas pressure charge electric magnetic field voltage
    current resistance lens mirror pendulum spring satellite orbit sound rotational density circuit`,
  engineering: `circuit voltage current resistance capacitor inductor transistor amplifier diode motor generator winding
    transformer armature signal filter frequency feedback system transfer ohm coil conductor phase torque gate flip
    semiconductor loop converter bridge`,
  astronomy: `planet planets star stars sun moon earth mars venus jupiter saturn solar galaxy galaxies telescope orbit
    asteroid comet crater universe lunar atmosphere meteorite`,
  computing: `algorithm program code function array list loop string integer variable class java python binary bit bits byte
    memory cache processor compiler data software hardware boolean recursive stack queue tree graph hash network protocol
    server file database statements display input output operating page instruction`,
  security: `attack attacker password encryption key vulnerability buffer overflow malware worm firewall authentication
    exploit hacker injection cipher security wireless ssl tls scanning penetration backdoor xss`,
  learning: `training classifier regression neural network kernel overfitting variance bias gradient supervised cluster
    bayesian svm perceptron decision tree trees boosting dataset learning nearest markov feature linear regularization`,
  statistics: `sample mean median standard deviation variance probability random distribution hypothesis confidence interval
    regression correlation normal survey experiment significance null test estimator variable scatterplot independent
    population treatment least squares ols autocorrelation heteroscedasticity stationary series residuals`,
  mathematics: `integer integers prime polynomial equation function derivative integral matrix vector group ring field
    theorem triangle circle angle sum product divisible remainder factor graph root roots real set subset finite abelian
    continuous limit value x y z f positive squared expression evaluate simplify digits largest smallest solve permutations`,
  arithmetic: `many much cost price total each buys sold dollars cents percent minutes hours miles per dozen times more less
    half twice left altogether spend earn weeks days per rate number average fraction decimal equivalent`,
  logic: `premise conclusion valid invalid argument proposition predicate logic symbolization formula wff truth table
    quantifier translation iff tautology fallacy antecedent consequent contradiction syllogism best true false following
    statement`,
  economics: `price demand supply market firm firms monopoly competition marginal cost elasticity consumer producer surplus
    equilibrium quantity profit output inflation unemployment gdp monetary fiscal interest money bank reserve federal
    deficit aggregate currency exchange tariff trade curve wages tax`,
  accounting: `company accounting audit auditor financial statements income tax cash balance assets liabilities revenue
    depreciation inventory stock bonds dividends expense partnership corporation year fiscal net gain loss cpa gaap
    shareholders fund budget amortization taxable deduct client report entity`,
  business: `marketing management manager organization employees customers brand product strategy leadership advertising
    business corporate stakeholders segment consumer market team public relations press media communication campaign
    csr responsibility ethical workers`,
  literature: `author novel poem poet play character wrote book writer shakespeare fiction story song film movie television
    actor band album composer artist painting museum game sport team won award`,
};

/** Short words that distinguish languages in Latin letters. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  english: 'the of and to is that for was with what which this are by',
  german: 'der die das und ist nicht ein eine zu den mit von auf für wie was ich',
  french: 'le la les des est et une dans que pour pas qui sur avec quel je vous',
  spanish: 'el la los las es y una en que por para con qué cómo del se',
  portuguese: 'o os um uma não é e em que para com por do da como você',
  italian: 'il lo gli è e un una che di per con non del della come sono',
  dutch: 'de het een en is van niet dat op te voor met wat hoe ik',
};
