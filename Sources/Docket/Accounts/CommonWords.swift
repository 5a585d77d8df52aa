// The words of common passwords: names, places, teams, brands, animals, seasons, keys in a row, love and curses, in the languages of those who
// take them. Written down for Docket, not taken from a list; `CommonPasswords` puts them together as people do.

enum CommonWords {
    /// Each once, in small letters. A plural stands here only where its singular is no word of the list.
    static let all = Set(text.utf8.split(separator: 0x20).map(Array.init))

    private static let text = """
        aaliyah aardvark aaron abcdef abdul abdullah abercrombie abhishek abigail abracadabra abrakadabra absolut access \
        accord account acdc achilles acid acmilan acura adam addison address adidas admin administrator adrian adriana \
        adrienne adventure aeropostale aerosmith africa again aggies agnieszka ahmad ahmed aikido air airborne aircraft \
        airforce airplane aisha ajax ajay akatsuki akon alabama aladdin alakazam alana alaska alberto alcohol alegria \
        alejandra alejandro aleksandr aleksandra alessandra alessandro alex alexa alexander alexandra alexandre alexandria \
        alexis algerie ali alice alicia alien alison all allah allen alligator allison almighty alphabet alvarez alvin always \
        am amanda amandine amazing amber amen america american americano amigos amistad amit amor amorcito amore amoremio \
        amormio amour amsterdam amy anaconda analog anamaria anastasia and anderson andre andrea andrei andrew andrey \
        andromeda andy angel angela angelica angelika angelina angelique angelito angelo angie anhyeuem animal anime anita \
        anjali ankara ann anna annabelle anne annette annie anthony antoine anton antonella antonia antonio anybody anything \
        apache aphrodite apollo apostle apple april aquarius arabia aragorn are argentina ariana ariel aries aristotle arizona \
        arkansas armando armani army arnold arrow arschloch arsenal artem artemis arthur arturo asd asdf asdfgh ashanti ashlee \
        ashleigh ashley asia askim ass assassin asshole asswipe asteroid astros asus athena athens athletics atlanta atlantis \
        atomic attitude aubrey auckland audi audrey august augustus aunt austin australia austria autumn ava avalanche avalon \
        avengers avocado awesome azerty azertyuiop babe baby babyboo babyboy babycakes babydoll babygirl babygurl babylon \
        bacardi bach back bacon bad badger badminton bag bahamas baidu bailey baker balance ball bambi bambina bambino banana \
        bandit bangalore bangkok bangladesh bank baobao bar barbados barbara barbie barcelona barnes barney bart bartek \
        baseball basia basketball bass bastard bastien batista batman battlefield bautista bayern beach beagle bear beard \
        beast beastie beatles beatrice beautiful beauty beaver bebita bebito becker beckham becky beer beethoven beijing \
        belfast belgium believe bella belly ben benfica bengals benjamin bennett benny bentley benz berlin bermuda bernadette \
        bernard bernardo bernie besiktas best beth bethany betty bettyboop beyonce bianca bible bicycle bieber big bigbird \
        bigboss bigboy bigdog bigfoot biggie bigmac bigman bigred bike biker bill billabong billion billy biology bioshock \
        bird birthday biscuit bismillah bison bisous bitch bitches biteme black blackberry blackbird blackcat blackops blade \
        blah blahblah blake bleach bless blessed blessing blink blizzard blood bloody blossom blue blueberry bluebird bluefish \
        bluetooth blume blur bmw boat bob bobby bobmarley boca bocajuniors body bolivia bomb bond bondjames bone bong bonheur \
        bonita bonjour bonjovi bonnie boo book boomer bordeaux boricua boris borussia boss boston bouncer bow bowling box \
        boxer boxing boy boys brad bradley brain brandon brandy brasil braveheart braves brazil bread breakingbad \
        breakingbenjamin breanna brenda brent brian brianna brianne bright brighton brigitte brilliant brisbane bristol \
        britain british britney brittany brittney broadway broncos bronze brooke brooklyn brooks brother brown brownie bruce \
        bruder bruins bruno bryan bryant bryce bubble bubblegum buck buckeye budapest buddha buddy budlight budweiser buffalo \
        buffy bug bugatti bugsbunny bulbasaur bull bulldog bullet bullrider bullshit bumblebee bunnies bunny burger burrito \
        bus bush business buster butler butt butter buttercup butterfly butthole buttons cadillac caesar cairo caitlin cake \
        calcio caleb california callofduty calypso camaro cambridge camel camelot camera cameron camille campbell camprock \
        canada canadiens cancer candace candy candyman cannabis cannon canucks canyon cappuccino capricorn captain car caramel \
        caramelo carbon card cardinals carebear carla carlos carlsberg carmen carol carole carolina caroline cars carter \
        cartman casablanca casey cash cassandra cassie castillo castro cat catfish catherine cathy cats catwoman cecilia \
        celeste celica cellphone celtic cena centaur cesar chad challenger champion chandler chanel change changeit changeme \
        chaos charger charizard charlene charles charlie charlotte charmander chase chat cheer cheerleader cheese cheetah \
        cheetos chelsea chelsie chemical chemistry chen cherokee cherries cherry cheryl chester cheval chevrolet chevy \
        chewbacca cheyenne chicago chicken chien chihuahua child children chile china chinese chipmunk chiquita chivas chloe \
        chocolat chocolate chopin chopper chouchou chris chrissy christ christian christie christin christina christine \
        christmas christophe christopher christy chucky church churchill ciao ciaociao cielo cincinnati cinderella cindy \
        cinema cinnamon cinta cisco citroen city civic civilization claire clara clarence clarinet clarissa clark class \
        classic classof claudia claudio claw clayton cleopatra cleveland clifford climbing clinton cloud clover clown club \
        coach cobalt cobra cocacola cocaine cochise coco coconut code coder coding cody coffee coke cold coldplay cole coleman \
        colleen college collie collins colocolo colombia colombo colonel colorado columbia comanche come comet commando \
        company compaq computer conan confusion connecticut connie connor conrad contrasena contraseña converse cook cookie \
        cool coolguy coolio coolman coolness cooper copper corazon corgi corinthians corleone corolla corona corvet corvette \
        cosmic cosmos coucou cougar counter counterstrike country courage courtney cousin cow cowboy cowgirl cows coyote \
        cracker craig crazy cream creative creature creed cricket crimson cristian cristiano cristina crocodile cross crow \
        crown cruiser crusader cruz cruzazul crystal cuba cubs cucciolo cuddles cullen cup cupcake cutie cycling cyclone \
        cyclops cynthia dachshund dad daddy daffodil daisy dakota dallas dalmatian dalton damian damien dammit damn damnit \
        dana dance dancer dancing danger daniel daniela danielle danny dante dark darkangel darkness darkside darlene darling \
        darrell darren darthvader darwin database daughter dave david davide davidson davinci davis dawn day dead deanna death \
        deathnote debbie debian deborah december deepak deer default deftones delacruz delaware delhi dell delphine demo demon \
        denis denise denmark dennis dentist denver depeche depechemode derek derrick desert designer desiree desktop destiny \
        detroit deutschland developer devil devildog devin devon dexter diablo diamante diamond diana diane diaz dick dickhead \
        die diego diesel dietcoke dieter digimon digital dima dimples dinesh dinosaur diosesamor diosesfiel diosteama director \
        dirtbike disco discovery disney disturbed diva dixie dmitry doberman doctor dodge dodgers dog doggie doggy dogs dollar \
        dolores dolphin domenico dominic dominican dominika dominique don donald donna dontforget doom door dora doraemon \
        doreen doris doritos dorothy dortmund doudou doug douglas down download dr dracula dragon dragonfly dream dreamer drew \
        drifter drink drive driver drogba drpepper drug drummer drums drunk dubai dublin ducati duck duke dumbass dumbledore \
        dumbo dustin dusty dutch dvorak dylan dynamite eagle earth east easter easy eat eatme eclipse ecstasy ecuador edc \
        eddie edgar edinburgh eduardo education edward edwin eevee eeyore egypt eight eighteen einstein ekaterina elaine \
        eleanor electra electric electronic elefante element elementary elena eleonora elephant eleven elias elijah elisa \
        elise eliza elizabeth ellen elmo elsa elvis email emanuele emerald emerson emiliano emily eminem emma emmanuel \
        endeavour engel engine engineer england english enrique enter enterprise eric erica ericsson erika erin ernest \
        esmeralda espana esperanza espresso esther estrella estrellita eternity ethan etoile eugene eugenia euro europe \
        european eutiamo eva evan evanescence evangelion evelyn ever evergreen everquest everton everybody everything evil \
        evolution excalibur excellent explorer explosion extreme eye eyes ezra fabian fabienne fabrizio face facebook failure \
        faith faithful falcon fall fallout fame familia family fang fantasia fantastic fantasy farfalla farm fashion fast fat \
        fatass fatboy father fatima fatma fatman feather february federer federico felicia felicidad felicidade felipe \
        fenerbahce ferarri fernanda fernandez fernando ferrari ferreira feyenoord fiat ficken field fifteen fiftycent fight \
        film finalfantasy finland fiona fire fireball firebird firefighter firefly fireman first fischer fish fisherman \
        fishing fitness five flame flamengo flamingo fletcher fleur flipper florence flores florida flower floyd fly flyers \
        foot football for force ford fordtruck forest forever forgetit forgot forgotten formula fortnite forzajuve forzanapoli \
        foster found fountain four fourteen fox foxy france francesca francesco francine francis francisco francois frank \
        frankie franklin freak freaky freckles fred freddy frederick free freedom french freshman freund freundin friday \
        friend frodo frog froggie froggy from fruehling fuck fucker fucking fuckme fuckoff fuckyou fun funky funny fusion \
        fussball futbol futebol futurama gabriel gabriela gabriele gabriella gabrielle gaia galatasaray galaxy galileo galina \
        game gameboy gamecube gameofthrones gamer gaming gandalf gandhi ganesh gangsta gangster ganja gao garden garfield \
        garlic garrett gary gate gatinha gatito gator gatorade gavin gears geheim gemini general genesis genius geoffrey \
        george georgia georgina gerald geraldine gerard gerhard german germany geronimo gerrard get getout ghost gianluca \
        giant giggles gilbert gilles gina ginger giovanna giovanni girl giselle giuseppe give gladiator glamour glasgow \
        glitter global gloria glory gmail goat goaway god godbless godfather godisgood godisgreat godislove godlovesme \
        godsmack godzilla goku gold golden goldeneye goldfish golf golfer golfing gomez gonzales gonzalez good goodbye \
        goodluck goodness goofy google goose gordon gorgeous gorilla gorillaz gosia got gothic grace graduate graham grandma \
        grandpa grasshopper gray great greece greek green greenday greg gregory griffin ground group gryffindor gsxr guadalupe \
        guard guardian guatemala gucci guest guillaume guillermo guinevere guinness guitar guitarist gun gundam gunner guns \
        gunsnroses gunther guo gustavo guy guys gymnast habbo hacked hacker hacking hailey hair haiti haley halflife hall \
        hallelujah hallo halloween halo hamburg hamburger hamilton hamlet hampshire hamster hand handball handsome hannah \
        hannibal hans hansolo happiness happy hard hardware hardy harley harmony harold harriet harris harrison harry \
        harrypotter hase hash haslo hassan hawaii hawk hawkeyes hayden hayes hazel he head health healthy heart heat heather \
        heaven heck hector hedgehog heineken heinz helen helena helicopter helium hell hellfire hello henderson hendrix henry \
        herbert herbst hercules here herman hermione hermosa hernandez hero heroes heroin heroine hey hi highlander highschool \
        hiking hill himmel hiphop hippie history hobbit hockey hocuspocus hoelle hoffmann hogan hogwarts hola holiday holland \
        hollister holly hollywood holmes home homelesspa homer honda honduras honesty honey honeybee hongkong hoobastank hope \
        horn horror horse hospital hot hotdog hotmail hotmama hottie house houston how howard hsm hu huang hubert hughes hugo \
        hulk hummer hummingbird hund hundred hungary hunter hunting hurricane husband huskers husky hussain hussein hustle \
        hustler hydrogen hyper iam iamthe ian ibrahim ice icecream iceland ichigo idaho idiot idontknow igor ihate iliad \
        illinois illusion ilove ilovegod iloveher ilovehim iloveme iloveu iloveyou imiss immortal impala imperial incubus \
        india indian indiana indigo indonesia infantry infinity information ingrid insane inshallah insomnia inspiron \
        instagram integra intel intermilan international internet inuyasha invincible iowa ipad iphone ipod iran iraq ireland \
        irene irina irish iron ironmaiden ironman is isaac isabel isabella isabelle isaiah isis island ismail israel istanbul \
        it itachi italia italian italy ivan iverson ivy izabella jack jackass jackdaniels jackie jackoff jackson jacob \
        jacqueline jada jade jaden jaguar jailbird jaimatadi jaime jakarta jake jamaica james jamesbond jamie jane janet \
        janice january japan japanese jared jarhead jasmin jasmine jason javier jay jayden jayhawks jayz jazmine jazz jean \
        jeanette jedi jeep jeff jeffery jeffhardy jeffrey jellybean jellyfish jen jenkins jenna jennifer jenny jeremiah jeremy \
        jerkoff jermaine jerome jerry jersey jerusalem jesse jessica jessie jester jesucristo jesus jesusislord jesuslives \
        jesussaves jetaime jets jigglypuff jill jim jimihendrix jimmy joan joanna joanne job jocelyn joe joel joey johannes \
        john johncena johndeere johnny johnson joint joker jon jonas jonasbrothers jonathan jones jordan jorge jose josefina \
        joseluis joselyn joseph josephine josh joshua josie journey joyce juan juanita judith judo judy juergen julia julian \
        juliana julie julien juliet juliette julio july jump june jungle junior jupiter jurgen justin justine juve juventus \
        kaitlyn kakashi kangaroo kansas kanye karachi karate karen karina karl karla karma karolina karolinka kasia katarina \
        katarzyna katelyn katerina katherine kathleen kathmandu kathryn kathy katie katrina katze kawasaki kayla kayleigh \
        keisha keith kelly kelsey ken kendall kendra kennedy kenneth kennwort kenny kenobi kentucky kenwood kenya kermit kevin \
        key keyboard keys khaleesi kiara kickass kid kids kill killer kim kimberley kimberly kindness king kingdom \
        kingdomhearts kingkong kingsley kingston kirby kirsten kiss kisses kissme kissmy kissmyass kitkat kitten kitties kitty \
        klaus knicks knife knight know koala kobe kocham kochanie kombat konstantin koolaid korea korean korn kotenok krishna \
        kristen kristian kristin kristina krueger krystal kumar kungfu kuwait kyle kyoto labrador lacrosse ladies lady \
        ladybird ladybug ladygaga laetitia lahore lake lakers lakshmi lamb lamborghini lance lancelot land landon lannister \
        laogong laopo laptop lara laracroft larry lasvegas latoya laura lauren laurence laurent laurie lavender lawrence \
        lawyer leah leatherneck lebanon lebron ledzeppelin lee leeds legend legolas leicester leila lemon lemonade lenin \
        lennon lenovo leo leon leonard leonardo leopard leslie lester letmein letmesee letter lewis lexus li liam liang \
        libertad liberte liberty libra liebe liebling life light lightning lila lillian lilmama lilman lilwayne lily lin \
        lincoln linda lindinha lindsay lindsey lineage link linkedin linkinpark linux lion lipstick lisa lisbon little \
        littleman liu live liverpool living liz lizzie lkjhgf lloyd lmao lock logan login logitech logon lois loki lol lola \
        lollipop london lonewolf long longhorn look looneytunes lopez lord loredana lorenzo loretta lorraine losangeles loser \
        lost louis louise louisiana loulou love loveless lovelove lovely loveme lover loveyou low lsd lubov lucas lucia \
        luciana lucifer lucky luckyone lucy ludacris luffy lugia luigi luis luke luna lunar lune luo luvyou lydia lynn lyon \
        lyubov lyudmila ma macaroni macbook macintosh mackenzie mad made madeleine madeline madison madman madness madonna \
        madrid mafia magdalena maggie magic magnetic mahesh mail maine major makaveli makayla make makeup maksim malaysia \
        malcolm malgorzata malik mamma man manager mancity mandela manga mango manhattan maniac manila mansion manson manuel \
        manuela manutd mapleleafs maplestory maradona marathon marc marcel marcela marcello marcelo march marcia marco marcus \
        margaret margarita maria mariah mariajose mariana marianne marie marigold marijuana marilyn marina marine mariners \
        mario marion mariposa marissa marjorie mark marketing marlboro marlene marley marlins marlon maroon mars marseille \
        marshall martha martin martina martinez marvel marvin mary maryland maserati masha mason massachusetts masseffect \
        master masterchief mastiff matematica mateusz mathieu mathilde maths matilda matrix matt matthew matthias maureen \
        maurice mauricio maurizio maus maverick max maxime maximum maximus maxwell may maya mazda mccartney mcdonalds mckenzie \
        me meat meatball meatloaf mechanical medicine medusa mega megadeth megan megaparol mehmet melanie melbourne melinda \
        melissa melody melon melvin memory memphis men mendoza mental mercedes mercury mercy merde meredith merlin message \
        messenger messi metal metalica metallica metroid mewtwo mexican mexicana mexico meyer mia miami miamor micah michael \
        michaela micheal michelangelo michelle michigan mickael mickey microsoft middleearth midnight miguel mike mikey \
        mikhail mila milan mildred milena miles mileycyrus military milk milkshake miller million millionaire milo milwaukee \
        mima mina mine minecraft minimum minnesota minnie minotaur miranda misfits misiek mission mississippi missouri misty \
        mitchell mitsubishi mittens mivida mnbvcxz mocha model modem modern mohamed mohammad mohammed mohawk molly mom mommy \
        monalisa monamour mond monday money moneymaker moneyman mongoose monica monika monique monitor monkey monster montana \
        montreal moon moonlight moore moose morales mordor morgan morning morocco moron morpheus morris mortal moscow moses \
        moskva mosquito motdepasse mother motocross motor motorbike motorcycle motorola mountain mountaindew mouse mouth movie \
        mozart mr mudvayne mueller muffin muhammad mulan mulder mum mumbai mummy muppet murder muriel murphy muse mushroom \
        music musica musicman mustafa mustang mutter my mychemicalromance mylittlepony mylove mypass myself myspace mysql \
        mystery mystic myszka myth nacional nadia nadine nancy naomi napoleon napoli naruto nascar nashville nastya natalia \
        natalie natalya natasha nathalie nathan nathaniel national nature navajo navy nayeli nebraska nebula need neil nelly \
        nelson nemo neo neopets nepal neptune nero network networking nevada nevaeh never new newcastle newport newton newyork \
        newzealand neymar nguyen nicaragua nice nicholas nichole nick nickel nicky nicola nicole nicolette nigeria night \
        nightmare nightwish nihao nike nikita nikki nikolay nina nine ninja nintendo nirvana nissan no noah nobody noel nokia \
        nolan noodle noone nopass nora norma norman north northwest norway nose not notebook nothing notorious notredame \
        nottingham nounours november noway nuclear number nurse nut nutella nuts nvidia oakland oasis obama oblivion ocean \
        october octopus odin odysseus odyssey of off office offline offspring ohio ohiostate oklahoma oksana ola olayinka old \
        oleg olga oliveira oliver olivia olivier oluwaseun olympus omar omarion omg omsairam on one onedirection oneill \
        onepiece onion online openit opensesame openup optiplex or oracle orange orca orchid oregon oreo original orioles \
        orlando ortiz orton osaka oscar otter otto our out outkast outlaw over owen owl oxford oxygen pablo packers pacman \
        paige paintball pakistan palmeiras pamela panama panasonic pancake panda pandora pantera panther paper papillon \
        paradise paramore paris park parker parol parola parrot party pascal pascale pass passcode passer passion passme \
        passord passpass passport passwd password passwort pasta patches patel patience patient patrice patricia patrick \
        patriots patrycja patterson patty paul paula paulina pauline pavel pavilion paw payton pazzword peace peach peaches \
        peanut pearl pearljam pebbles pedro pegasus peggy pele pen penarol pencil penelope penguin pennstate penny pentium \
        people pepper pepsi pereira perez perfect perfume perrito perry persephone person personal peru petal peter peterson \
        petra peugeot peyton pferd pham phantom pharmacy philadelphia philip philippe philippines phillies phillip phoebe \
        phoenix phone photo phyllis physical physics piano picasso pickle picture pie pierre pig piggy piglet pikachu pilot \
        pimp pineapple pink pinkfloyd pioneer pirate pisces pistol pistons pitbull pittsburgh pizza pizzahut placebo plane \
        planet platinum plato platypus play playboy player playgirl playstation please pluto plutonium pocahontas poiuyt \
        pokemon poland polarbear police polish polska ponies pony poodle pooh pop popcorn popeye porcelain porkchop porsche \
        portland porto portugal poseidon postgres potato pothead powell power prada prague preciosa precious predator presario \
        president presto preston pretty price primavera prince princesa princess princesse principessa pringles printer \
        prinzessin priscilla private privet priyanka pro product professional professor program programmer project prophet \
        psycho pub public puertorico pug puma pumpkin punisher punk puppies puppy puppylove purple pussy pussycat python qatar \
        qaz quake queen quentin quiksilver quinn qwe qwert qwerty qwertz rabbit race racecar racer rachael rachel rachelle \
        racing radio radiohead radium rafael ragnarok rahasia rahman rahul raiders rain rainbow rajesh ralph rambo ramen \
        ramesh ramirez rammstein ramon ramones ramos randall random randy ranger rap rapper raptor raquel raspberry rasta \
        rastaman rat rattlesnake raul raven raymond rbd reagan realmadrid rebecca rebel rebelde red redbird redbull redneck \
        redskins redsox redwing reebok reed reese reggae regina register reindeer rembrandt remember remington renault rene \
        renee renegade research resident respect retriever revenge revolution reyes reymysterio rhino rhode rhythm ricardo \
        riccardo rich richard richman rick ricky ride rifle rihanna riley ring ripcurl risk rita river rivera riverplate road \
        robbie robert roberta roberto robin robinson roblox robocop rochelle rocio rock rocker rocket rocknroll rockstar rocky \
        rodeo rodney rodrigo rodriguez roger rohit roland rolex rollingstones rolls rolltide roma romain roman romania romeo \
        romeoandjuliet ronald ronaldinho ronaldo ronnie roof room rooney rooster root rosa rosario rose rosemarie rosemary \
        rosie ross rossiya rotterdam rottie rottweiler router roxana roxanne roy royals ruben ruby rudolf rugby ruiz rule \
        ruler run runescape runner running russell russia russian rusty ruth ryan ryder saab sabine sabres sabrina sad sadie \
        sadness safe safety sagitario sagittarius saigon sailboat sailing sailor sairam sakura sales sally salope salvador \
        salvation salvatore sam samantha sammy sampson samson samsung samuel samurai sanchez sand sanders sandiego sandra \
        sandrine sandwich sandy sanfrancisco sanjay santana santiago santos saopaulo sapphire sara sarah sasha sasuke satan \
        satellite saturday saturn saudade sauron sausage savannah savior saviour saw sawyer saxophone say sayang sayangku \
        scanner scarface scarlet scarlett scary schalke schatz schatzi scheisse schmidt schneider school schulz schwester \
        science scientist scooby scoobydoo scooter scorpio scorpion scotland scott scotty scream scrubs scully sea seahawks \
        seahorse sean seat seattle sebastian sebastien second secret secure security see sega seinfeld selena seminoles \
        semperfi senators senha senior seoul sephiroth september serena serenity sergeant sergey sergio server service sesame \
        seth seven seventeen seviyorum sexpistols sexy sexygirl sexymama shadow shakespeare shakira shamrock shane shanghai \
        shania shannon shark sharma sharon shaun shawn shazam she sheep sheffield sheila shelby sheldon shelley sherlock \
        sherry ship shippuden shirley shit shithead shopping shotgun shotokan shrek shutup side sidney sierra sifre signin \
        silenthill silva silver silverado silvia simba simcity simmons simon simone simpleplan simpson sing singapore singer \
        singh singing sioux sister six sixers sixteen skate skateboard skater skating skiing skin skinny skipper skittles \
        skoda sky skylar skyler skyline skyrim skywalker slayer sleep sleepy slimshady slipknot slow slytherin smackdown small \
        smallville smile smiley smirnoff smith smoke smoker smokey smoking snake snickers sniper snoopdogg snoopy snow \
        snowball snowboard snowboarding snowflake snowman snuggles soccer socrates sofia soft softball software solar soldier \
        soleil solnce solution someone something sommer son song sonia sonic sonne sonnenschein sony sooners sophia sophie \
        sophomore sorry soul souljaboy soundgarden south southpark souza space spaceman spaceship spaghetti spain spanish \
        sparkle spartacus spartan special spectrum speed spencer spider spiderman spitfire spongebob sport sporting spring \
        sprite spurs squidward squirrel squirtle srilanka srinivas stacey stacie stacy staind stalker stallion standard \
        stanislav stanley star starbucks starcraft stardust starfish stargate starks starlight startrek starwars steel \
        steelers stefan stefania stefanie stefano stella stephan stephane stephanie stephen sterling stern steve steven \
        stewart stinger stone stonecold stoner storm stranger strawberry strawberryshortcake street streetfighter strength \
        strong stuart student stupid style stylish subaru subway success sucker sucks sullivan sultan summer sun sunday \
        sunderland sunflower sunny sunrise sunset sunshine super superman supernova support supra suresh surf surfer surfing \
        surgery susan susana susanne sushi suzanne suzuki sveta svetlana sweden sweet sweetie sweetness sweety swim swimmer \
        swimming swiss switzerland sword swordfish sydney sylvester sylvia sylvie syria system tabitha taco tacobell taekwondo \
        tail taipei taiwan take talk tamara tampa tang tania tank tanya taobao tara target tarheels tarzan tatiana tatum \
        tatyana taurus taylor teacher team teamo teamodemais teamomucho technics techno ted teddybear teeth tekken telefono \
        telephone television temitope temp temporary ten tencent tennessee tennis tequiero tequieromucho tequila teresa \
        terminator terrier terry tessa test tester testing tetris teufel texan texas thailand thalia thankgod thankyou that \
        the theater theatre thecure their theo theodore there theresa thesims thierry think third thirteen this thomas \
        thompson thor thousand three threedays thug thuglife thumper thunder thursday tiamo tiana tianshi tifa tiffany tiger \
        tigger tigres tim time timothy tina tinker tinkerbell tiny titan titanic titanium tmobile to today todd tofu together \
        tokiohotel tokyo tolkien tom tomas tomato tomb tomcat tomek tommy tomorrow tony tooth tootsie top tornado toronto \
        torres tortoise toshiba totoro tottenham toulouse town toyota tracey tracy train tran trance travel traveler travis \
        treasure tree trent trevor trey trigger trinidad trinity triple tristan trojan trombone trooper trouble troy truck \
        trucker truckin truelove trump trumpet trust trustno tsunami tuesday tulip tuna tunisia tupac turbo turkey turkiye \
        turner turtle tweety twelve twenty twilight twin twitter twix two tyler typhoon tyrone tyson ubuntu ukraine ulrike \
        ultimate ultra umbrella uncle under undertaker unicorn union united universal universe universidad university unknown \
        unstoppable up upload uranium uranus us user usher usmc utah vacation vader valentin valentina valentine valentino \
        valeria valerie valhalla valley vampire van vancouver vanessa vanhalen vanilla vans vargas vater vegas vegeta \
        venezuela venus vera verizon vermont veronica veronika veronique versace vicky victor victoria victory video vienna \
        vietnam vijay vikings viktor viktoria village villain vince vincent vincenzo vintage viola violet violin viper \
        virgencita virgil virginia virginie virgo vision vivaldi vivian viviane vladimir vladislav vodafone vodka volcano \
        voldemort volkswagen volleyball volunteers volvo voorhees voyage voyager wachtwoord waffle wagner waheguru wales walk \
        walker wall wallace walmart walter wanda wang wangyi want warcraft ward wareagle warm warren warrior was washington \
        wassup water watson way wayne we weapon weber webmaster website wednesday weed weekend weezer weird weixin welcome \
        wellington wendy werewolf wesley west westham whale what whatever whatsup wheel when where which whiskers whiskey \
        whisky white whitney who whocares whoever why whynot wife wild wildcat wilfred will william willie wilson wind window \
        wing winner winnie winston winter wireless wisconsin wisdom with wizard woaini woaiwo woaiwojia woaiwoziji \
        woaizhongguo wojtek wolf wolfenstein wolfgang wolfman wolfpack wolverine wolves woman wonder wonderful wood woodstock \
        word work world worldofwarcraft wrangler wrestlemania wrestling wright wsx wtf wu wwe wwf wyoming xavier xbox xfiles \
        xiaohong xiaoming xie xiomara xu yahoo yahoomail yamaha yang yankee yasmin yellow yesenia yesterday yoda yolanda \
        yomama you young your yourmama yourmom yourself youtube yugioh yulia yvette yvonne zacefron zachary zane zaq zebra \
        zelda zeppelin zeus zhang zhao zheng zhongguo zhou zhu zidane zipper zoe zoey zombie zorro zvezda zxc zxcvb zxcvbn
        """
}
