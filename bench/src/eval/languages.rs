//! Facts about invented places in several languages, generated from sentences.

use super::{Asked, Document, Half};
use crate::data::Numbers;

struct Language {
    name: &'static str,
    places: &'static [&'static str],
    /// What is said of a place, and how it is asked for.
    facts: &'static [(&'static str, &'static str)],
    /// Said between facts.
    filler: &'static [&'static str],
}

/// One document for each language.
pub(crate) fn documents() -> Vec<Document> {
    let documents = LANGUAGES.iter().zip(1..);
    documents
        .map(|(language, seed)| document(language, seed))
        .collect()
}

fn document(language: &Language, seed: u64) -> Document {
    let mut numbers = Numbers::new(100 + seed);
    let mut sentences = Vec::new();
    for place in language.places {
        for (said, asked) in language.facts {
            let value = 100 + numbers.next() % 9_000;
            let sentence = said
                .replace("{c}", place)
                .replace("{v}", &value.to_string());
            sentences.push((numbers.next(), sentence, asked.replace("{c}", place)));
        }
    }
    // In no order that helps.
    sentences.sort_by_key(|(key, ..)| *key);
    let mut text = String::new();
    let mut questions = Vec::new();
    for (index, (_, answer, question)) in sentences.into_iter().enumerate() {
        text.push_str(&answer);
        for _ in 0..4 {
            let filler = numbers.next() as usize % language.filler.len();
            text.push(' ');
            text.push_str(language.filler.get(filler).copied().unwrap_or_default());
        }
        text.push('\n');
        if index % 8 == 3 {
            questions.push(Asked {
                question,
                answer,
                plainly: true,
            });
        }
    }
    Document {
        half: Half::Development,
        kind: language.name,
        text,
        questions,
    }
}

const LANGUAGES: &[Language] = &[
    Language {
        name: "German",
        places: &[
            "Altenried",
            "Bergwang",
            "Grünholz",
            "Kaltbrück",
            "Lindau am See",
            "Moosfurt",
            "Neuwerk",
            "Oberzell",
            "Quellheim",
            "Rotenstein",
            "Süderwiek",
            "Weißbach",
        ],
        facts: &[
            (
                "In {c} leben {v} Einwohner.",
                "Wie viele Einwohner leben in {c}?",
            ),
            (
                "Die Brücke von {c} ist {v} Meter lang.",
                "Wie lang ist die Brücke von {c}?",
            ),
            (
                "Der Turm in {c} wurde im Jahr {v} gebaut.",
                "Wann wurde der Turm in {c} gebaut?",
            ),
            (
                "Das Museum von {c} zeigt {v} Gemälde.",
                "Welche Zahl von Gemälden zeigt das Museum von {c}?",
            ),
            (
                "Die Schule in {c} hat {v} Schüler.",
                "Wie viele Schüler hat die Schule in {c}?",
            ),
            (
                "Der Fluss bei {c} führt {v} Liter Wasser.",
                "Wie viel Wasser führt der Fluss bei {c}?",
            ),
            (
                "Die Bibliothek von {c} besitzt {v} Bücher.",
                "Wie viele Bücher besitzt die Bibliothek von {c}?",
            ),
            (
                "Der Bahnhof {c} zählt {v} Reisende am Tag.",
                "Wie viele Reisende zählt der Bahnhof {c}?",
            ),
        ],
        filler: &[
            "Im Sommer kommen viele Gäste aus der Umgebung.",
            "Das Wetter war in diesem Jahr wechselhaft.",
            "Auf dem Markt gibt es Obst und Gemüse.",
            "Am Abend sitzen die Leute vor den Häusern.",
            "Die Straße führt durch den Wald und über Felder.",
            "Früher wurde hier viel Holz verarbeitet.",
        ],
    },
    Language {
        name: "French",
        places: &[
            "Aubeterre",
            "Brévignac",
            "Clairmont",
            "Éguzon",
            "Fontaine-sur-Orge",
            "Gravières",
            "Houlmont",
            "Lançay",
            "Montsérac",
            "Pélissanne",
            "Rochebrune",
            "Vézinet",
        ],
        facts: &[
            (
                "La ville de {c} compte {v} habitants.",
                "Combien d'habitants compte la ville de {c} ?",
            ),
            (
                "Le pont de {c} mesure {v} mètres.",
                "Combien mesure le pont de {c} ?",
            ),
            (
                "L'église de {c} fut bâtie en {v}.",
                "Quand l'église de {c} fut-elle bâtie ?",
            ),
            (
                "Le musée de {c} expose {v} tableaux.",
                "Combien de tableaux expose le musée de {c} ?",
            ),
            (
                "L'école de {c} accueille {v} élèves.",
                "Combien d'élèves accueille l'école de {c} ?",
            ),
            (
                "La rivière de {c} débite {v} litres.",
                "Quel est le débit de la rivière de {c} ?",
            ),
            (
                "La bibliothèque de {c} possède {v} livres.",
                "Combien de livres possède la bibliothèque de {c} ?",
            ),
            (
                "La gare de {c} voit {v} voyageurs par jour.",
                "Combien de voyageurs voit la gare de {c} ?",
            ),
        ],
        filler: &[
            "En été, beaucoup de visiteurs viennent des environs.",
            "Le temps a été changeant cette année.",
            "Au marché, on trouve des fruits et des légumes.",
            "Le soir, les gens s'assoient devant les maisons.",
            "La route traverse la forêt et longe les champs.",
            "Autrefois, on travaillait beaucoup le bois ici.",
        ],
    },
    Language {
        name: "Spanish",
        places: &[
            "Alcorvera",
            "Benasal",
            "Cañaverde",
            "Doñinos",
            "El Robledal",
            "Fuentealta",
            "Guadalón",
            "Hontanar",
            "Íscara",
            "Montemayor",
            "Peñalba",
            "Valdeorsa",
        ],
        facts: &[
            (
                "La ciudad de {c} tiene {v} habitantes.",
                "¿Cuántos habitantes tiene la ciudad de {c}?",
            ),
            (
                "El puente de {c} mide {v} metros.",
                "¿Cuánto mide el puente de {c}?",
            ),
            (
                "La torre de {c} se construyó en {v}.",
                "¿Cuándo se construyó la torre de {c}?",
            ),
            (
                "El museo de {c} muestra {v} cuadros.",
                "¿Cuántos cuadros muestra el museo de {c}?",
            ),
            (
                "La escuela de {c} recibe {v} alumnos.",
                "¿Cuántos alumnos recibe la escuela de {c}?",
            ),
            (
                "El río de {c} lleva {v} litros de agua.",
                "¿Cuánta agua lleva el río de {c}?",
            ),
            (
                "La biblioteca de {c} guarda {v} libros.",
                "¿Cuántos libros guarda la biblioteca de {c}?",
            ),
            (
                "La estación de {c} atiende a {v} viajeros.",
                "¿Cuántos viajeros atiende la estación de {c}?",
            ),
        ],
        filler: &[
            "En verano llegan muchos visitantes de los alrededores.",
            "El tiempo ha sido variable este año.",
            "En el mercado se venden frutas y verduras.",
            "Por la tarde la gente se sienta delante de las casas.",
            "La carretera cruza el bosque y los campos.",
            "Antes se trabajaba aquí mucho la madera.",
        ],
    },
    Language {
        name: "Russian",
        places: &[
            "Берёзовск",
            "Верхнегорск",
            "Глубокое",
            "Дальнереченск",
            "Елово",
            "Заозёрный",
            "Каменка",
            "Луговое",
            "Новосёлово",
            "Приморье",
            "Светлый Яр",
            "Усть-Кама",
        ],
        facts: &[
            (
                "Население города {c} составляет {v} человек.",
                "Какое население у города {c}?",
            ),
            (
                "Мост в городе {c} имеет длину {v} метров.",
                "Какую длину имеет мост в городе {c}?",
            ),
            (
                "Башню в городе {c} построили в {v} году.",
                "Когда построили башню в городе {c}?",
            ),
            (
                "Музей города {c} хранит {v} картин.",
                "Сколько картин хранит музей города {c}?",
            ),
            (
                "В школе города {c} учатся {v} детей.",
                "Сколько детей учатся в школе города {c}?",
            ),
            (
                "Река у города {c} несёт {v} литров воды.",
                "Сколько воды несёт река у города {c}?",
            ),
            (
                "Библиотека города {c} имеет {v} книг.",
                "Сколько книг имеет библиотека города {c}?",
            ),
            (
                "Вокзал города {c} принимает {v} пассажиров.",
                "Сколько пассажиров принимает вокзал города {c}?",
            ),
        ],
        filler: &[
            "Летом сюда приезжают гости из соседних мест.",
            "Погода в этом году была переменчивой.",
            "На рынке продают фрукты и овощи.",
            "Вечером люди сидят у своих домов.",
            "Дорога идёт через лес и поля.",
            "Раньше здесь обрабатывали много дерева.",
        ],
    },
    Language {
        name: "Chinese",
        places: &[
            "青石镇",
            "白沙湾",
            "临江市",
            "桃花村",
            "永安城",
            "双河县",
            "东岭镇",
            "玉泉市",
            "海门口",
            "南塘乡",
            "长宁镇",
            "金竹坪",
        ],
        facts: &[
            ("{c}的人口是{v}人。", "{c}的人口是多少？"),
            ("{c}的大桥长{v}米。", "{c}的大桥有多长？"),
            ("{c}的钟楼建于{v}年。", "{c}的钟楼建于哪一年？"),
            ("{c}的博物馆展出{v}幅画。", "{c}的博物馆展出多少幅画？"),
            ("{c}的小学有{v}名学生。", "{c}的小学有多少名学生？"),
            ("{c}的河流每秒流过{v}升水。", "{c}的河流每秒流过多少水？"),
            ("{c}的图书馆藏有{v}本书。", "{c}的图书馆藏有多少本书？"),
            (
                "{c}的车站每天接待{v}位旅客。",
                "{c}的车站每天接待多少旅客？",
            ),
        ],
        filler: &[
            "夏天有很多客人从附近来到这里。",
            "今年的天气变化很大。",
            "市场上卖水果和蔬菜。",
            "晚上人们坐在家门口聊天。",
            "道路穿过森林和田野。",
            "从前这里加工很多木材。",
        ],
    },
    Language {
        name: "Japanese",
        places: &[
            "青葉町",
            "白浜村",
            "川上市",
            "桜ヶ丘",
            "永山町",
            "二俣市",
            "東峰村",
            "清水谷",
            "浦戸町",
            "南原市",
            "長沢村",
            "竹田町",
        ],
        facts: &[
            ("{c}の人口は{v}人です。", "{c}の人口は何人ですか。"),
            (
                "{c}の橋の長さは{v}メートルです。",
                "{c}の橋の長さはどのくらいですか。",
            ),
            (
                "{c}の塔は{v}年に建てられました。",
                "{c}の塔はいつ建てられましたか。",
            ),
            (
                "{c}の美術館は{v}枚の絵を展示しています。",
                "{c}の美術館は何枚の絵を展示していますか。",
            ),
            (
                "{c}の小学校には{v}人の生徒がいます。",
                "{c}の小学校には何人の生徒がいますか。",
            ),
            (
                "{c}の川の水量は{v}リットルです。",
                "{c}の川の水量はどれだけですか。",
            ),
            (
                "{c}の図書館には{v}冊の本があります。",
                "{c}の図書館には何冊の本がありますか。",
            ),
            (
                "{c}の駅の利用者は{v}人です。",
                "{c}の駅の利用者は何人ですか。",
            ),
        ],
        filler: &[
            "夏には近くから多くの客が訪れます。",
            "今年の天気は変わりやすいものでした。",
            "市場では果物と野菜が売られています。",
            "夕方になると人々は家の前に座ります。",
            "道は森と畑の間を通っています。",
            "昔はここで木材を加工していました。",
        ],
    },
    Language {
        name: "Thai",
        places: &[
            "บ้านสวน",
            "เขาทราย",
            "ท่าน้ำใส",
            "หนองบัวแดง",
            "ดอนยาง",
            "ปากคลอง",
            "ทุ่งหลวง",
            "แม่ริมธาร",
            "บางพลับ",
            "โคกสูง",
            "เกาะแก้ว",
            "นาทอง",
        ],
        facts: &[
            ("{c}มีประชากร {v} คน", "{c}มีประชากรกี่คน"),
            ("สะพานของ{c}ยาว {v} เมตร", "สะพานของ{c}ยาวเท่าไร"),
            ("หอคอยที่{c}สร้างในปี {v}", "หอคอยที่{c}สร้างเมื่อไร"),
            ("พิพิธภัณฑ์ของ{c}แสดงภาพ {v} ภาพ", "พิพิธภัณฑ์ของ{c}แสดงภาพกี่ภาพ"),
            ("โรงเรียนใน{c}มีนักเรียน {v} คน", "โรงเรียนใน{c}มีนักเรียนกี่คน"),
            ("แม่น้ำที่{c}มีน้ำ {v} ลิตร", "แม่น้ำที่{c}มีน้ำเท่าไร"),
            ("ห้องสมุดของ{c}มีหนังสือ {v} เล่ม", "ห้องสมุดของ{c}มีหนังสือกี่เล่ม"),
            ("สถานีรถไฟ{c}รับผู้โดยสาร {v} คนต่อวัน", "สถานีรถไฟ{c}รับผู้โดยสารกี่คน"),
        ],
        filler: &[
            "ฤดูร้อนมีแขกมากมายมาจากที่ใกล้เคียง",
            "อากาศปีนี้เปลี่ยนแปลงบ่อย",
            "ตลาดขายผลไม้และผัก",
            "ตอนเย็นผู้คนนั่งหน้าบ้าน",
            "ถนนผ่านป่าและทุ่งนา",
            "เมื่อก่อนที่นี่แปรรูปไม้มาก",
        ],
    },
    Language {
        name: "Hindi",
        places: &[
            "रामगढ़",
            "सोनपुर",
            "चंदनपुर",
            "हरिनगर",
            "पीपलखेड़ा",
            "नीलघाटी",
            "कमलापुर",
            "बरगदवा",
            "शांतिनगर",
            "मोतीहार",
            "देवगाँव",
            "लालकुआँ",
        ],
        facts: &[
            ("{c} की जनसंख्या {v} है।", "{c} की जनसंख्या कितनी है?"),
            ("{c} का पुल {v} मीटर लंबा है।", "{c} का पुल कितना लंबा है?"),
            ("{c} की मीनार {v} में बनी।", "{c} की मीनार कब बनी?"),
            (
                "{c} के संग्रहालय में {v} चित्र हैं।",
                "{c} के संग्रहालय में कितने चित्र हैं?",
            ),
            (
                "{c} के विद्यालय में {v} छात्र पढ़ते हैं।",
                "{c} के विद्यालय में कितने छात्र पढ़ते हैं?",
            ),
            (
                "{c} की नदी में {v} लीटर पानी बहता है।",
                "{c} की नदी में कितना पानी बहता है?",
            ),
            (
                "{c} के पुस्तकालय में {v} पुस्तकें हैं।",
                "{c} के पुस्तकालय में कितनी पुस्तकें हैं?",
            ),
            (
                "{c} के स्टेशन पर {v} यात्री आते हैं।",
                "{c} के स्टेशन पर कितने यात्री आते हैं?",
            ),
        ],
        filler: &[
            "गर्मियों में आसपास से बहुत मेहमान आते हैं।",
            "इस साल मौसम बदलता रहा।",
            "बाज़ार में फल और सब्ज़ियाँ बिकती हैं।",
            "शाम को लोग घरों के सामने बैठते हैं।",
            "सड़क जंगल और खेतों से होकर जाती है।",
            "पहले यहाँ लकड़ी का बहुत काम होता था।",
        ],
    },
];
